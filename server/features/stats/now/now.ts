import type { BusinessHoursService } from '#server/identity/orgs/settings/business-hours.ts'
import { isAvailable } from '#server/messaging/assignment/giving-out.ts'
import { nameConversations } from '#server/messaging/conversations/shown/named.ts'
import { summarize } from '#server/messaging/conversations/shown/summary.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { paths } from '#shared/kernel/paths.ts'
import { covers, roleCan } from '#shared/kernel/permissions.ts'
import { isWithinBusinessHours, nextOpening } from '#shared/orgs/business-hours.ts'
import { soonMs } from '#shared/stats/definitions.ts'
import {
  maxPeopleNow,
  maxUnattended,
  maxWaitingRows,
  type PersonNow,
  type StatsNow,
  type WaitingCustomer,
} from '#shared/stats/now.ts'
import { businessTimeAfter } from '../figures/business-time.ts'
import { promiseStateOf } from '../figures/promise.ts'
import { type SegmentFacts, segmentFacts } from '../figures/segment-facts.ts'
import { tests } from '../figures/show.ts'
import { ownId, type RequestParts, resolveRequest, type StatsRequest, seesMembers } from '../stats-request.ts'
import { hasMoreUnattended, listUnattended } from './now-store.ts'

interface NowParts extends RequestParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours'>
  /** True if the person has a page open. */
  isOnline(userId: string): boolean
}

/** An unattended segment with its conversation. */
interface Wait extends SegmentFacts {
  readonly conversationId: string | null
  readonly since: number
}

/** A key reads what customers wrote only if it has the capability. */
const mayReadChats = (caller: OrgCaller): boolean =>
  roleCan(caller.role, 'chat:read') &&
  (caller.kind !== 'key' || caller.capabilities === null || covers(caller.capabilities, 'chat:read'))

const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())

/** Answers who waits for a first response, and who is there. */
export function createNow(parts: NowParts) {
  const { databases, clock, businessHours, isOnline } = parts
  const { read } = databases

  const listWaits = async (caller: OrgCaller, { clocks }: StatsRequest): Promise<Wait[]> => {
    const rows = await listUnattended(read, caller, maxUnattended)
    return rows
      .map(row => ({
        ...segmentFacts(row, clocks),
        conversationId: row.conversation_id,
        since: Date.parse(row.waiting_since ?? row.started_at),
      }))
      .filter(({ isUnattended }) => isUnattended)
      .toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
  }

  const describe = async (
    caller: OrgCaller,
    waits: readonly Wait[],
    { measure }: StatsRequest,
    { dueOf, available }: { dueOf(since: number): number | undefined; available: ReadonlySet<string> },
  ): Promise<WaitingCustomer[]> => {
    const ids = waits.flatMap(({ conversationId }) => conversationId ?? [])
    const conversations = await nameConversations(read, caller.orgId, ids)
    const summaries = mayReadChats(caller) && ids.length ? await summarize(read, caller, ids) : undefined
    const names = await colleagues.findNames(read, caller.orgId, {
      personIds: waits.flatMap(({ ownerId }) => ownerId ?? []),
      teamIds: waits.flatMap(({ teamId }) => teamId ?? []),
    })
    return waits.map(wait => {
      const { conversationId, ownerId, teamId, since } = wait
      const conversation = conversations.get(conversationId ?? '')
      return {
        conversationId,
        address: conversation?.address ?? null,
        name: conversation?.name ?? null,
        tags: [...(conversation?.tags ?? [])],
        said: summaries?.get(conversationId ?? '')?.said?.text || null,
        since: new Date(since).toISOString(),
        dueAt: isoOrNull(dueOf(since)),
        state: promiseStateOf(wait, measure),
        owner:
          ownerId === null ? null : { name: names.people.get(ownerId) ?? null, isAvailable: available.has(ownerId) },
        team: names.teams.get(teamId ?? '') ?? null,
      }
    })
  }

  const describePeople = async (
    caller: OrgCaller,
    people: Awaited<ReturnType<typeof colleagues.listAvailable>>,
    isOpen: boolean,
  ) => {
    const loads = await colleagues.countOpen(
      read,
      caller.orgId,
      people.map(({ userId }) => userId),
    )
    return people
      .map(({ userId, name, state }): PersonNow => {
        const isSelf = userId === ownId(caller)
        const filter = new URLSearchParams({ assignee: isSelf ? 'me' : userId })
        return {
          userId,
          name,
          state,
          isAvailable: isAvailable(state, isOpen),
          isOnline: isSelf || isOnline(userId),
          open: { count: loads.get(userId) ?? 0, href: `${paths.chats(caller.orgSlug)}?${filter}` },
        }
      })
      .toSorted(
        (a, b) =>
          Number(b.isOnline && b.isAvailable) - Number(a.isOnline && a.isAvailable) ||
          b.open.count - a.open.count ||
          a.name.localeCompare(b.name),
      )
  }

  return {
    async getNow(caller: OrgCaller): Promise<StatsNow> {
      const now = clock.now().getTime()
      const at = new Date(now).toISOString()
      const request = await resolveRequest(databases, caller, { now, query: {} }, parts)
      const { measure, hrefOf } = request
      const { promiseMs } = measure
      const { hours, timeZone } = await businessHours.zonedHours(caller.orgId, read)
      const after = businessTimeAfter(hours, timeZone)
      const dueOf = (since: number) => (promiseMs === null ? undefined : after(since, promiseMs))
      const leftMs = promiseMs === null ? null : soonMs(promiseMs)
      const isOpen = isWithinBusinessHours(hours, at, timeZone)

      const waits = await listWaits(caller, request)
      const more = await hasMoreUnattended(read, caller.orgId, maxUnattended)
      const late = waits.filter(wait => tests.unattendedLate(wait, measure))
      const soon = waits.filter(wait => tests.unattendedSoon(wait, measure))
      const changes = waits
        .filter(wait => !tests.unattendedLate(wait, measure))
        .flatMap(({ since }) =>
          promiseMs === null ? [] : [after(since, promiseMs - soonMs(promiseMs)), after(since, promiseMs)],
        )
        .filter(change => change !== undefined && change > now) as number[]

      const everybody = (await colleagues.listAvailable(read, caller.orgId)).slice(0, maxPeopleNow)
      const available = new Set(everybody.filter(({ state }) => isAvailable(state, isOpen)).map(({ userId }) => userId))
      const shown = seesMembers(caller) ? everybody : everybody.filter(({ userId }) => userId === ownId(caller))
      return {
        at,
        timeZone,
        promiseMs,
        soonMs: leftMs,
        isOpen,
        opensAt: isOpen ? null : nextOpening(hours, at, timeZone),
        unattended: { count: waits.length, more, href: hrefOf({ show: 'unattended' }) },
        soon: { count: soon.length, more, href: hrefOf({ show: 'unattendedSoon' }) },
        late: { count: late.length, more, href: hrefOf({ show: 'unattendedLate' }) },
        worstMs: late.length ? Math.max(...late.map(({ unattendedMs }) => unattendedMs)) - (promiseMs ?? 0) : null,
        nextChangeAt: changes.length ? new Date(changes.reduce((a, b) => Math.min(a, b))).toISOString() : null,
        waiting: await describe(caller, waits.slice(0, maxWaitingRows), request, {
          dueOf,
          available,
        }),
        people: await describePeople(caller, shown, isOpen),
      }
    },
  }
}
