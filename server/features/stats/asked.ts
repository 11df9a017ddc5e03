import type { BusinessHoursService } from '#server/identity/orgs/business-hours.ts'
import type { OrgSettingsService } from '#server/identity/orgs/settings.ts'
import { findOwnNumberId } from '#server/messaging/conversations/named.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { createWallClock } from '#shared/kernel/time.ts'
import { maxDays, nobody, type ShowPart, type StatsFilter } from '#shared/stats/filter.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import { businessTime } from './figures/business-time.ts'
import { type Period, type PeriodFault, readPeriod } from './figures/period.ts'
import { allTime, type Clocks } from './figures/segment-facts.ts'
import { isOfNow, type Measure } from './figures/show.ts'
import { type Cohort, isCounted } from './segment-list-store.ts'

/** Stands in addresses for what the organization does not have: their lists are empty, too. */
const unknownName = 'unknown'

const wordsOf: { readonly [F in PeriodFault['fault']]: string } = {
  noDay: 'noDay',
  reversed: 'rangeReversed',
  tooLong: 'rangeTooLong',
  future: 'dayFuture',
}

/** Who manages members sees what each of them did; anybody else, what they did themselves. */
export const seesMembers = (caller: Pick<OrgCaller, 'role'>): boolean => roleCan(caller.role, 'member:manage')
export const ownId = (caller: OrgCaller): string | null => (caller.kind === 'person' ? caller.userId : null)

const maySeeMember = (caller: OrgCaller, id: string | undefined): boolean =>
  id === undefined || id === nobody || seesMembers(caller) || id === ownId(caller)

/** What a request for figures means for this caller. */
export interface Asked {
  readonly period: Period
  readonly measure: Measure
  readonly clocks: Clocks
  /** Undefined: it names something that is not there, so there is nothing to count. */
  readonly cohort: Omit<Cohort, 'period'> | undefined
  readonly unknown: StatsSummary['unknown']
  /** The page of what a part of a figure counts. */
  hrefOf(part: ShowPart & Pick<StatsFilter, 'team' | 'member' | 'tag'>): string
}

const isTeam = async (db: Db, orgId: string, id: string | undefined): Promise<boolean> =>
  id === undefined ||
  id === nobody ||
  (await colleagues.hasTeam(db, orgId, id)) ||
  isCounted(db, orgId, { column: 'team_id', id })

const isOwner = async (
  db: Db,
  caller: OrgCaller,
  id: string | undefined,
  column: 'owner_id' | 'first_reply_by' = 'owner_id',
): Promise<boolean> =>
  maySeeMember(caller, id) &&
  (id === undefined ||
    id === nobody ||
    (await colleagues.hasMember(db, caller.orgId, id)) ||
    isCounted(db, caller.orgId, { column, id }))

const orNull = (id: string | undefined): string | null | undefined => (id === nobody ? null : id)

export interface AskedParts {
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours'>
  readonly orgSettings: Pick<OrgSettingsService, 'getSettings'>
  readonly tags: Pick<Tags, 'has' | 'list'>
}

/** @throws InvalidInput for days that cannot be */
export async function readAsked(
  db: Db,
  caller: OrgCaller,
  { now, query }: { now: number; query: StatsFilter & Pick<ShowPart, 'answeredBy'> },
  { businessHours, orgSettings, tags }: AskedParts,
): Promise<Asked> {
  const { orgId } = caller
  const { hours, timeZone } = await businessHours.zonedHours(orgId, db)
  const { promiseMinutes } = await orgSettings.getSettings(caller, {})
  const inHours = businessTime(hours, timeZone)
  const period = readPeriod(query, now, timeZone)
  if ('fault' in period)
    throw new InvalidInput([
      { field: `query.${period.field}`, code: 'invalid', text: wordsOf[period.fault], params: { days: maxDays } },
    ])
  const { team, member, tag, number, origin, answeredBy } = query
  const connectionId = number === undefined ? undefined : await findOwnNumberId(db, orgId, number)
  const unknown: StatsSummary['unknown'] = []
  if (!(await isTeam(db, orgId, team))) unknown.push('team')
  if (!(await isOwner(db, caller, member)) || !(await isOwner(db, caller, answeredBy, 'first_reply_by')))
    unknown.push('member')
  if (tag !== undefined && !(await tags.has(db, orgId, tag))) unknown.push('tag')
  if (number !== undefined && !connectionId) unknown.push('number')
  const page = paths.statsConversations(caller.orgSlug)
  return {
    period,
    measure: { now, timeZone, wallClock: createWallClock(timeZone), promiseMs: promiseMinutes * 60_000 },
    clocks: { now, elapsed: query.hours === 'business' ? inHours : allTime, businessTime: inHours },
    cohort: unknown.length
      ? undefined
      : { teamId: orNull(team), ownerId: orNull(member), tagId: tag, origin, connectionId },
    unknown,
    hrefOf(part) {
      const all = {
        ...(isOfNow(part) ? {} : { from: period.from, to: period.to }),
        ...{ team, member, tag, origin, number, hours: query.hours },
        ...part,
        // An answer must not depend on how a name is written that the organization does not have.
        ...Object.fromEntries(unknown.map(name => [name, unknownName])),
      }
      const entries = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))
      return `${page}?${new URLSearchParams(entries)}`
    },
  }
}
