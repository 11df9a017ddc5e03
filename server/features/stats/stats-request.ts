import type { BusinessHoursService } from '#server/identity/orgs/settings/business-hours.ts'
import type { OrgSettingsService } from '#server/identity/orgs/settings/settings.ts'
import { findOwnNumberId } from '#server/messaging/conversations/shown/named.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { InputPart } from '#server/platform/http/validate.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { createWallClock } from '#shared/kernel/time.ts'
import { nobody, type ShowPart, type StatsFilter } from '#shared/stats/filter.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import { type Cohort, isNamedInSegments } from './cohort-store.ts'
import { businessTime } from './figures/business-time.ts'
import type { Period } from './figures/period.ts'
import { requirePeriod } from './figures/required-period.ts'
import { allTime, type Clocks } from './figures/segment-facts.ts'
import { isOfNow, type Measure } from './figures/show.ts'

/** Replaces ids that the organization does not have in addresses of lists. Such a list is empty. */
export const unknownName = 'unknown'

/** Callers who manage members see the figures of each member. Other callers see only their own. */
export const seesMembers = (caller: Pick<OrgCaller, 'role'>): boolean => roleCan(caller.role, 'member:manage')
export const ownId = (caller: OrgCaller): string | null => (caller.kind === 'person' ? caller.userId : null)

const maySeeMember = (caller: OrgCaller, id: string | undefined): boolean =>
  id === undefined || id === nobody || seesMembers(caller) || id === ownId(caller)

/** A request for figures, checked for this caller. */
export interface StatsRequest {
  readonly period: Period
  readonly measure: Measure
  readonly clocks: Clocks
  /** Undefined: a filter names something that the organization does not have, so there is nothing to count. */
  readonly cohort: Omit<Cohort, 'period'> | undefined
  readonly unknown: StatsSummary['unknown']
  /** Address of the page that lists what a part of a figure counts. */
  hrefOf(part: ShowPart & Pick<StatsFilter, 'team' | 'member' | 'tag'>): string
}

const isKnownTeam = async (databases: Databases, orgId: string, id: string | undefined): Promise<boolean> =>
  id === undefined ||
  id === nobody ||
  (await colleagues.hasTeam(databases.read, orgId, id)) ||
  isNamedInSegments(databases.read, orgId, { column: 'team_id', id })

const isKnownMember = async (
  databases: Databases,
  caller: OrgCaller,
  id: string | undefined,
  column: 'owner_id' | 'first_reply_by' = 'owner_id',
): Promise<boolean> =>
  maySeeMember(caller, id) &&
  (id === undefined ||
    id === nobody ||
    (await colleagues.hasMember(databases.read, caller.orgId, id)) ||
    isNamedInSegments(databases.read, caller.orgId, { column, id }))

/** Null: the filter asks for conversations without a team or an owner. */
const idOrNull = (id: string | undefined): string | null | undefined => (id === nobody ? null : id)

export interface RequestParts {
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours'>
  readonly orgSettings: Pick<OrgSettingsService, 'getSettings'>
  readonly tags: Pick<Tags, 'has' | 'list'>
}

/** @throws InvalidInput for days that do not exist, lie in the future, are reversed or are too many. */
export async function resolveRequest(
  databases: Databases,
  caller: OrgCaller,
  { now, query, part = 'query' }: { now: number; query: StatsFilter & Pick<ShowPart, 'answeredBy'>; part?: InputPart },
  { businessHours, orgSettings, tags }: RequestParts,
): Promise<StatsRequest> {
  const { orgId } = caller
  const { read } = databases
  const { hours, timeZone } = await businessHours.zonedHours(orgId, read)
  const { promiseMinutes } = await orgSettings.getSettings(caller, {})
  const inHours = businessTime(hours, timeZone)
  const period = requirePeriod(query, { now, timeZone, part })
  const { team, member, tag, number, origin, answeredBy } = query
  const connectionId = number === undefined ? undefined : await findOwnNumberId(read, orgId, number)
  const unknown: StatsSummary['unknown'] = []
  if (!(await isKnownTeam(databases, orgId, team))) unknown.push('team')
  if (
    !(await isKnownMember(databases, caller, member)) ||
    !(await isKnownMember(databases, caller, answeredBy, 'first_reply_by'))
  )
    unknown.push('member')
  if (tag !== undefined && !(await tags.has(read, orgId, tag))) unknown.push('tag')
  if (number !== undefined && !connectionId) unknown.push('number')
  const page = paths.statsConversations(caller.orgSlug)
  return {
    period,
    measure: {
      now,
      timeZone,
      wallClock: createWallClock(timeZone),
      promiseMs: promiseMinutes === null ? null : promiseMinutes * 60_000,
    },
    clocks: { now, elapsed: query.hours === 'business' ? inHours : allTime, businessTime: inHours },
    cohort: unknown.length
      ? undefined
      : { teamId: idOrNull(team), ownerId: idOrNull(member), tagId: tag, origin, connectionId },
    unknown,
    hrefOf(part) {
      const all = {
        ...(isOfNow(part) ? {} : { from: period.from, to: period.to }),
        team,
        member,
        tag,
        origin,
        number,
        hours: query.hours,
        ...part,
        // The same answer for every unknown id: it must not tell whether another organization has it.
        ...Object.fromEntries(unknown.map(name => [name, unknownName])),
      }
      const entries = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))
      return `${page}?${new URLSearchParams(entries)}`
    },
  }
}
