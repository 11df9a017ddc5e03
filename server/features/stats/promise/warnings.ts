import { type Static, Type } from 'typebox'
import { isAvailable } from '#server/messaging/assignment/giving-out.ts'
import { answerDues } from '#server/messaging/conversations/waiting/answer-due.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { Db } from '#server/platform/db/database.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { JobQueue, Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { whomToWarn } from '../figures/promise.ts'
import { isBehind } from '../segments/store.ts'
import { type PromiseClockParts, readPromiseClock } from './clock.ts'

export interface WarningParts extends PromiseClockParts {
  readonly jobs: Pick<Jobs, 'register'>
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run' | 'runMany'>
  readonly notifications: Pick<Notify, 'notify'>
}

const Payload = Type.Object({ conversationId: Type.String(), segmentId: Type.String() })
export type WarningPayload = Static<typeof Payload>

/** Business time is searched this far ahead. */
const looksWithinMs = 400 * 86_400_000
/** Messages are read into segments about two seconds after they arrive. */
const untilReadMs = 2_000

/**
 * A job for each wait, due shortly before its promise is broken: it warns the people who can still answer in time, once.
 */
export function createWarnings(parts: WarningParts): JobQueue<WarningPayload> {
  const { jobs, clock, writes, notifications } = parts

  const listRecipients = async (db: Db, orgId: string, wait: { assigneeId: string | null; teamId: string | null }) => {
    const isOpen = await parts.businessHours.isOpenAt(orgId, isoNow(clock), db)
    const people = await colleagues.listAvailable(db, orgId)
    return whomToWarn({
      ...wait,
      repliers: await colleagues.listRepliers(db, orgId),
      available: new Set(people.filter(({ state }) => isAvailable(state, isOpen)).map(({ userId }) => userId)),
      teamsOf: wait.teamId === null ? new Map() : await colleagues.listTeamsOf(db, orgId),
    })
  }

  const warn = async (write: OrgWrite, payload: WarningPayload): Promise<Outcome | undefined> => {
    const { db, orgId } = write
    const { conversationId, segmentId } = payload
    const [wait] = await answerDues.find(db, [conversationId], {})
    if (!wait || wait.org_id !== orgId || wait.segment_id !== segmentId || wait.warned_at !== null) return undefined
    // A reply may have arrived that has not ended the wait yet.
    if (await isBehind(db, conversationId)) return { kind: 'again', afterMs: untilReadMs }
    const promise = await readPromiseClock(db, orgId, parts)
    const times = promise.timesOf(Date.parse(wait.since))
    const now = clock.now().getTime()
    if (!times || now >= times.dueAt) return undefined
    if (now < times.warnAt) return { kind: 'again', afterMs: times.warnAt - now }
    const conversation = (await answerDues.describe(db, orgId, [conversationId])).get(conversationId)
    if (!conversation?.isPersons) return undefined
    const isFirst = await answerDues.markWarned(db, orgId, { ...payload, at: new Date(now).toISOString() })
    if (!isFirst) return undefined
    const { number, address = number } = conversation.ref
    const minutes = Math.max(1, Math.round(promise.elapsed(now, times.dueAt) / 60_000))
    const words = { key: 'promiseEnding', params: { name: conversation.name(), minutes } }
    await notifications.notify(write, {
      userIds: await listRecipients(db, orgId, conversation),
      words,
      // It replaces an unread notification about the same customer, which says less.
      conversation: { id: conversationId, several: words },
      redirect: `/${address}`,
    })
    return undefined
  }

  return jobs.register({
    name: 'promise.warning',
    looksWithinMs,
    payload: Payload,
    atOnce: 2,
    perOrg: 1,
    isKept: false,
    run: ({ orgId, payload }) => writes.run(orgId, systemActor('promise'), write => warn(write, payload)),
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })
}
