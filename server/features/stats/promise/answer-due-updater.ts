import { Type } from 'typebox'
import { type AnswerDue, type AwaitingConversation, answerDues } from '#server/messaging/conversations/answer-due.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { ManyWrites, OrgWrite } from '#server/platform/events/write.ts'
import type { NewJob } from '#server/platform/jobs/job.ts'
import { awaitsFirstResponse } from '../figures/promise.ts'
import { findLastSegments } from '../segments/store.ts'
import type { ConversationSegmentTable } from '../segments/table.ts'
import { type PromiseClock, readPromiseClock } from './clock.ts'
import { createWarnings, type WarningParts } from './warnings.ts'

type Due = Omit<AnswerDue, 'org_id'>

/** Waits that are late by more than this get no row: nothing shows them. An old or imported history has many. */
const keptLateMs = 24 * 60 * 60_000
/** Rows that are computed again in one transaction when the promise or the business hours change. */
const rowsPerPage = 200

/**
 * Keeps a row and a job for each customer who waits for a first response: when it is due, and when people are warned.
 * Segments say who waits; the promise and the business hours say until when.
 */
export function createAnswerDueUpdater(parts: WarningParts) {
  const { jobs, clock, writes } = parts
  const warnings = createWarnings(parts)

  const dueOf = (segment: ConversationSegmentTable, conversationId: string, promise: PromiseClock): Due | undefined => {
    const since = segment.waiting_since ?? segment.started_at
    const times = promise.timesOf(Date.parse(since))
    if (!times || times.dueAt < clock.now().getTime() - keptLateMs) return undefined
    const due_at = new Date(times.dueAt).toISOString()
    return { conversation_id: conversationId, segment_id: segment.id, since, due_at, warned_at: null }
  }

  /** The jobs that warn of these waits. One whose promise is broken already gets none. */
  const warningsOf = (dues: readonly Due[], promise: PromiseClock) => {
    const now = clock.now().getTime()
    return dues.flatMap(due => {
      const times = promise.timesOf(Date.parse(due.since))
      if (due.warned_at !== null || !times || times.dueAt <= now) return []
      const { conversation_id: conversationId, segment_id: segmentId } = due
      const job: NewJob<{ conversationId: string; segmentId: string }> = {
        payload: { conversationId, segmentId },
        uniqueKey: conversationId,
        dueAt: new Date(Math.max(now, times.warnAt)).toISOString(),
      }
      return { uniqueKey: conversationId, job }
    })
  }

  /** Saves these rows, and moves the warnings to their new times. */
  const save = async (
    { db, orgId, emit, afterCommit }: OrgWrite,
    dues: readonly Due[],
    {
      promise,
      found,
      known,
    }: {
      promise: PromiseClock
      found: ReadonlyMap<string, AwaitingConversation>
      /** The conversations that had a row before. */
      known: { has(conversationId: string): boolean }
    },
  ) => {
    if (!dues.length) return
    await answerDues.save(db, dues, { orgId })
    const jobsOf = warningsOf(dues, promise)
    const isWarned = new Set(jobsOf.map(({ uniqueKey }) => uniqueKey))
    const others = dues.map(due => due.conversation_id).filter(id => known.has(id) && !isWarned.has(id))
    if (others.length) await warnings.cancel(db, orgId, others)
    const added = jobsOf.filter(({ uniqueKey }) => !known.has(uniqueKey)).map(({ job }) => job)
    const moved = jobsOf.filter(({ uniqueKey }) => known.has(uniqueKey))
    if (added.length) await warnings.add(db, orgId, added)
    await warnings.replace(db, orgId, moved)
    afterCommit(warnings.wake)
    for (const { conversation_id: id, due_at: dueAt } of dues) {
      const place = found.get(id)?.place
      if (place) emit({ type: 'conversation.answerDue', data: { ...place, dueAt } })
    }
  }

  const remove = async (
    { db, orgId, emit }: OrgWrite,
    ids: readonly string[],
    found: ReadonlyMap<string, AwaitingConversation>,
  ) => {
    if (!ids.length) return
    await answerDues.delete(db, orgId, ids)
    await warnings.cancel(db, orgId, ids)
    for (const id of ids) {
      const place = found.get(id)?.place
      if (place) emit({ type: 'conversation.answerDue', data: { ...place, dueAt: null } })
    }
  }

  const updateOrg = async (
    write: OrgWrite,
    segments: ReadonlyMap<string, ConversationSegmentTable>,
    known: ReadonlyMap<string, AnswerDue>,
  ) => {
    const { db, orgId } = write
    const promise = await readPromiseClock(db, orgId, parts)
    const dues = new Map(
      [...segments].flatMap(([id, segment]) => {
        const due = awaitsFirstResponse(segment) ? dueOf(segment, id, promise) : undefined
        return due ? [[id, due] as const] : []
      }),
    )
    const ids = [...new Set([...dues.keys(), ...known.keys()])]
    if (!ids.length) return
    const found = await answerDues.describe(db, orgId, ids)
    const [changed, same, gone]: [Due[], Due[], string[]] = [[], [], []]
    for (const id of ids) {
      const before = known.get(id)
      const due = found.get(id)?.isPersons ? dues.get(id) : undefined
      if (!due) {
        if (before) gone.push(id)
      } else if (before?.segment_id === due.segment_id && before.since === due.since) same.push(before)
      else changed.push({ ...due, warned_at: before?.segment_id === due.segment_id ? before.warned_at : null })
    }
    await remove(write, gone, found)
    await save(write, changed, { promise, found, known })
    // A warning that met an unread message has ended without one.
    const jobsOf = warningsOf(same, promise).map(({ job }) => job)
    if (jobsOf.length && (await warnings.add(db, orgId, jobsOf))) write.afterCommit(warnings.wake)
  }

  /** Follows what was read into the segments of these conversations, in the same transaction. */
  const update = async (many: ManyWrites, conversationIds: readonly string[]): Promise<void> => {
    if (!conversationIds.length) return
    const segments = (await findLastSegments(many.db, conversationIds, {})).flatMap(row =>
      row.conversation_id === null ? [] : [[row.conversation_id, row] as const],
    )
    const known = (await answerDues.find(many.db, conversationIds, {})).map(row => [row.conversation_id, row] as const)
    const orgIds = new Set([...segments, ...known].map(([, { org_id: orgId }]) => orgId))
    for (const orgId of orgIds)
      await updateOrg(
        many.of(orgId),
        new Map(segments.filter(([, row]) => row.org_id === orgId)),
        new Map(known.filter(([, row]) => row.org_id === orgId)),
      )
  }

  const recompute = async (write: OrgWrite, after: string): Promise<string | undefined> => {
    const { db, orgId } = write
    const rows = await answerDues.list(db, orgId, after, rowsPerPage)
    const promise = await readPromiseClock(db, orgId, parts)
    const [moved, never]: [Due[], string[]] = [[], []]
    for (const { org_id: _org, ...row } of rows) {
      const times = promise.timesOf(Date.parse(row.since))
      const dueAt = times && new Date(times.dueAt).toISOString()
      if (dueAt === undefined) never.push(row.conversation_id)
      else if (dueAt !== row.due_at) moved.push({ ...row, due_at: dueAt })
    }
    const ids = [...never, ...moved.map(row => row.conversation_id)]
    const found = await answerDues.describe(db, orgId, ids)
    await remove(write, never, found)
    await save(write, moved, { promise, found, known: new Set(ids) })
    return rows.length === rowsPerPage ? rows.at(-1)?.conversation_id : undefined
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
