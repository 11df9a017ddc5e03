import { Type } from 'typebox'
import { archiveStates } from '#server/messaging/archive-states.ts'
import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { emitSnoozeEnded } from '#server/messaging/conversations/changes/snooze-ended.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { snoozeLimits } from '#shared/inbox/snooze.ts'
import { deleteSnoozes, endDue, isSnoozedUntil, saveSnoozes } from './store.ts'

interface SnoozingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly log: Log
}

export interface SnoozeRequest {
  /** ISO 8601 UTC */
  readonly until: string
  /** It waits for an answer of the customer. */
  readonly ifNoAnswer: boolean
}

/** Takes conversations out of the open ones for a time. */
export interface Snoozing {
  /** Returns the rows after the change. @throws INBOX_CHAT_ARCHIVED if one is archived */
  snooze(write: OrgWrite, rows: readonly ListRow[], request: SnoozeRequest): Promise<ListRow[]>
  /** Opens those that are snoozed. Returns all rows after the change. */
  end(write: OrgWrite, rows: readonly ListRow[]): Promise<ListRow[]>
}

const dayMs = 86_400_000
const troubleMs = 60_000

const noSnooze = { snooze_until: null, snooze_by_id: null, snooze_by_name: null, snooze_at: null } as const

export function createSnoozing({ databases, clock, jobs, writes, log }: SnoozingParts): Snoozing {
  const comeBack = async (orgId: string, { conversationId, until }: { conversationId: string; until: string }) => {
    if (!(await isSnoozedUntil(databases.read, orgId, conversationId, until))) return
    await writes.run(orgId, systemActor('snoozes'), async write => {
      const [before] = await findRows.byId(write.db, [conversationId], { orgId })
      // Two processes may get here: one of them ends it.
      if (!(await endDue(write.db, orgId, { conversationId, until, at: isoNow(clock) })) || !before) return
      const rows = await findRows.byId(write.db, [conversationId], { orgId })
      emitSnoozeEnded(write, before, { why: 'due', by: write.by })
      await emitChanged(write, rows)
    })
  }

  const queue = jobs.register({
    name: 'inbox.snooze',
    looksWithinMs: snoozeLimits.days * dayMs,
    keepsTime: 'chosen',
    payload: Type.Object({ conversationId: Type.String(), until: Type.String() }),
    lane: 'person',
    atOnce: 4,
    perOrg: 2,
    isKept: false,
    run: ({ orgId, payload }) =>
      comeBack(orgId, payload).then(
        () => undefined,
        (error: unknown): Outcome => {
          log.error({ err: error, orgId, conversation: payload.conversationId }, 'the end of a snooze is tried again')
          return { kind: 'again', afterMs: troubleMs }
        },
      ),
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    async snooze(write, rows, { until, ifNoAnswer }) {
      const { db, orgId, by, emit, afterCommit } = write
      if (rows.some(row => row.archived === archiveStates.archived)) throw inboxErrors.CHAT_ARCHIVED()
      const ids = rows.map(row => row.id)
      const at = isoNow(clock)
      const who = { by_id: by.id ?? '', by_name: by.name ?? '' }
      await saveSnoozes(db, orgId, ids, { until, if_no_answer: Number(ifNoAnswer), ...who, created_at: at })
      // One job for each conversation, however often it is snoozed.
      await queue.replace(
        db,
        orgId,
        ids.map(id => ({
          uniqueKey: id,
          job: { payload: { conversationId: id, until }, uniqueKey: id, dueAt: until },
        })),
      )
      afterCommit(queue.wake)
      const after = rows.map(row => ({
        ...row,
        archived: archiveStates.snoozed,
        snooze_until: until,
        snooze_if_no_answer: Number(ifNoAnswer),
        snooze_by_id: who.by_id,
        snooze_by_name: who.by_name,
        snooze_at: at,
        snooze_ended_at: null,
      }))
      for (const row of after)
        emit({ type: 'conversation.snoozed', data: { ...conversationRef(row), until, ifNoAnswer, by } })
      await emitChanged(write, after)
      return after
    },

    async end(write, rows) {
      const snoozed = rows.filter(row => row.archived === archiveStates.snoozed)
      const ids = snoozed.map(row => row.id)
      await deleteSnoozes(write.db, write.orgId, ids)
      if (ids.length) await queue.cancel(write.db, write.orgId, ids)
      for (const row of snoozed) emitSnoozeEnded(write, row, { why: 'ended', by: write.by })
      const after = new Map(snoozed.map(row => [row, { ...row, ...noSnooze, archived: archiveStates.open }]))
      await emitChanged(write, [...after.values()])
      return rows.map(row => after.get(row) ?? row)
    },
  }
}
