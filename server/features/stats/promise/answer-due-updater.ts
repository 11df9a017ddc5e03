import { Type } from 'typebox'
import {
  type AnswerDue,
  type AwaitingConversation,
  answerDues,
} from '#server/messaging/conversations/waiting/answer-due.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { ManyWrites, OrgWrite } from '#server/platform/events/write.ts'
import type { NewJob } from '#server/platform/jobs/job.ts'
import { isoIn } from '#server/platform/time/clock.ts'
import { awaitsFirstResponse } from '../figures/promise.ts'
import { findLastSegments } from '../segments/store.ts'
import type { ConversationSegmentTable } from '../segments/table.ts'
import { type PromiseClock, readPromiseClock } from './clock.ts'
import { listWaiting, type WaitingPlace } from './waiting-store.ts'
import { createWarnings, type WarningParts, type WarningPayload } from './warnings.ts'

type Due = Omit<AnswerDue, 'org_id'>

interface Changes {
  readonly saved: readonly Due[]
  /** Ids of conversations. */
  readonly deleted: readonly string[]
  /** The conversations that had a row before. */
  readonly known: { has(conversationId: string): boolean }
  readonly promise: PromiseClock
  readonly found: ReadonlyMap<string, AwaitingConversation>
}

/** Waits that are late by more than this get no row: nothing shows them. An old or imported history has many. */
const keptLateMs = 24 * 60 * 60_000
/** No promise is longer than a week of business hours. Waits that began before this are late by more than a day. */
const longestWaitMs = 60 * keptLateMs
/** Rows that are computed again in one transaction when the promise or the business hours change. */
const rowsPerPage = 200

/**
 * Keeps a row and a job for each customer who waits for a first response: when it is due, and when people are warned.
 * Segments say who waits; the promise and the business hours say until when.
 */
export function createAnswerDueUpdater(parts: WarningParts) {
  const { jobs, clock, writes } = parts
  const warnings = createWarnings(parts)

  const dueOf = (segment: ConversationSegmentTable, promise: PromiseClock): Due | undefined => {
    const { conversation_id, id: segment_id, waiting_since: since } = segment
    const times = since === null ? undefined : promise.timesOf(Date.parse(since))
    if (conversation_id === null || since === null || !times) return undefined
    if (times.dueAt < clock.now().getTime() - keptLateMs) return undefined
    return { conversation_id, segment_id, since, due_at: new Date(times.dueAt).toISOString(), warned_at: null }
  }

  /** The jobs that warn of these waits. None for a wait that has been warned of, or whose promise is broken. */
  const warningsOf = (dues: readonly Due[], promise: PromiseClock): NewJob<WarningPayload>[] => {
    const now = clock.now().getTime()
    return dues.flatMap(({ conversation_id: conversationId, segment_id: segmentId, since, warned_at: warnedAt }) => {
      const times = promise.timesOf(Date.parse(since))
      if (warnedAt !== null || !times || times.dueAt <= now) return []
      const dueAt = new Date(Math.max(now, times.warnAt)).toISOString()
      return [{ payload: { conversationId, segmentId }, uniqueKey: conversationId, dueAt }]
    })
  }

  /** Saves and deletes rows, and adds, moves and cancels their warnings. */
  const apply = async (
    { db, orgId, emit, afterCommit }: OrgWrite,
    { saved, deleted, known, promise, found }: Changes,
  ): Promise<void> => {
    if (saved.length) await answerDues.save(db, saved, { orgId })
    await answerDues.delete(db, orgId, deleted)
    const cancelled = [...deleted, ...saved.map(due => due.conversation_id).filter(id => known.has(id))]
    if (cancelled.length) await warnings.cancel(db, orgId, cancelled)
    const added = warningsOf(saved, promise)
    if (added.length && (await warnings.add(db, orgId, added))) afterCommit(warnings.wake)
    const dues = new Map([
      ...saved.map(due => [due.conversation_id, due.due_at] as const),
      ...deleted.map(id => [id, null] as const),
    ])
    for (const [id, dueAt] of dues) {
      const ref = found.get(id)?.ref
      if (ref) emit({ type: 'conversation.answerDue', data: { ...ref, dueAt } })
    }
  }

  const updateOrg = async (
    write: OrgWrite,
    segments: readonly ConversationSegmentTable[],
    known: ReadonlyMap<string, AnswerDue>,
  ): Promise<void> => {
    const { db, orgId } = write
    const awaiting = segments.filter(awaitsFirstResponse)
    if (!awaiting.length && !known.size) return
    const promise = await readPromiseClock(db, orgId, parts)
    const dues = new Map(awaiting.flatMap(row => dueOf(row, promise) ?? []).map(due => [due.conversation_id, due]))
    const ids = [...new Set([...dues.keys(), ...known.keys()])]
    const found = await answerDues.describe(db, orgId, ids)
    const [saved, deleted]: [Due[], string[]] = [[], []]
    for (const id of ids) {
      const before = known.get(id)
      const due = found.get(id)?.isPersons ? dues.get(id) : undefined
      if (!due) {
        if (before) deleted.push(id)
      } else if (before?.segment_id !== due.segment_id) saved.push(due)
      else if (before.since !== due.since) saved.push({ ...due, warned_at: before.warned_at })
    }
    await apply(write, { saved, deleted, known, promise, found })
  }

  /** Follows what was read into the segments of these conversations, in the same transaction. */
  const update = async (many: ManyWrites, conversationIds: readonly string[]): Promise<void> => {
    if (!conversationIds.length) return
    const segments = Map.groupBy(await findLastSegments(many.db, conversationIds, {}), row => row.org_id)
    const known = Map.groupBy(await answerDues.find(many.db, conversationIds, {}), row => row.org_id)
    for (const orgId of new Set([...segments.keys(), ...known.keys()]))
      await updateOrg(
        many.of(orgId),
        segments.get(orgId) ?? [],
        new Map(known.get(orgId)?.map(row => [row.conversation_id, row])),
      )
  }

  const recompute = async (write: OrgWrite, after: string): Promise<string | undefined> => {
    const { db, orgId } = write
    const rows = await answerDues.list(db, orgId, after, rowsPerPage)
    const promise = await readPromiseClock(db, orgId, parts)
    const [saved, deleted]: [Due[], string[]] = [[], []]
    for (const { org_id: _org, ...row } of rows) {
      const times = promise.timesOf(Date.parse(row.since))
      const dueAt = times && new Date(times.dueAt).toISOString()
      if (dueAt === undefined) deleted.push(row.conversation_id)
      else if (dueAt !== row.due_at) saved.push({ ...row, due_at: dueAt })
    }
    const known = new Set([...deleted, ...saved.map(row => row.conversation_id)])
    const found = await answerDues.describe(db, orgId, [...known])
    await apply(write, { saved, deleted, known, promise, found })
    return rows.length === rowsPerPage ? rows.at(-1)?.conversation_id : undefined
  }

  /** Waits that have no row, because nothing was promised, or no hours were open, when they began. */
  const addMissing = async (write: OrgWrite, place: WaitingPlace | undefined): Promise<WaitingPlace | undefined> => {
    const { db, orgId } = write
    const since = isoIn(clock, -longestWaitMs)
    const segments = await listWaiting(db, orgId, { since, after: place, limit: rowsPerPage })
    const ids = segments.flatMap(row => row.conversation_id ?? [])
    const rows = ids.length ? await answerDues.find(db, ids, {}) : []
    await updateOrg(write, segments, new Map(rows.map(row => [row.conversation_id, row])))
    return segments.length === rowsPerPage ? segments.at(-1) : undefined
  }

  const changes = jobs.register({
    name: 'promise.changed',
    looksWithinMs: 60_000,
    payload: Type.Object({}),
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run({ orgId }, { signal }) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        if (signal.aborted) return { kind: 'again', afterMs: 0 }
        const from: string = after
        after = await writes.run(orgId, systemActor('promise'), write => recompute(write, from))
      }
      let place: WaitingPlace | undefined
      do {
        if (signal.aborted) return { kind: 'again', afterMs: 0 }
        const from = place
        place = await writes.run(orgId, systemActor('promise'), write => addMissing(write, from))
      } while (place)
      return undefined
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  const listener: TransactionListener<'organization.changed'> = {
    name: 'promised first responses',
    on: ['organization.changed'],
    async handle({ db, orgId, afterCommit }) {
      // A job that runs may have read the old settings.
      await changes.cancelWaiting(db, orgId, {})
      await changes.add(db, orgId, [{ payload: {} }])
      afterCommit(changes.wake)
    },
  }

  return { update, listener }
}
