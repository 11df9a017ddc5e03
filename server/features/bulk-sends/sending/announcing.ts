import { Type } from 'typebox'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { changedEvent } from '../changed.ts'
import { changeSend, findSend } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'

/** Minimum time between live events of one send. */
const gapMs = 1000

/** Informs open pages of a send's progress, at most once a second. */
export function createAnnouncing({ clock, jobs }: { clock: Clock; jobs: Jobs }) {
  const announcements = jobs.register({
    name: 'bulkSends.announce',
    looksWithinMs: gapMs,
    payload: Type.Object({ sendId: Type.String() }),
    lane: 'bulk',
    atOnce: 4,
    isKept: false,
    run: async ({ orgId, payload }): Promise<Outcome> => ({
      kind: 'done',
      // In the transaction that ends the job: later changes request another one.
      async write(writes) {
        const write = writes.of(orgId)
        const send = await findSend(write.db, orgId, payload.sendId)
        if (!send) return
        await changeSend(write.db, orgId, send.id, { announcedAt: isoNow(clock) })
        write.emit(changedEvent(send, send.state))
      },
    }),
    lost: () => ({ kind: 'retry', reason: 'LOST' }),
  })

  /** Requested announcements by send, with the time at which each is due. Until then no other is requested. */
  const waiting = new Map<string, number>()

  return {
    /** Call it in the transaction of the change. */
    async ask({ db, orgId, afterCommit }: OrgWrite, { id, announcedAt }: StoredSend): Promise<void> {
      const now = clock.now().getTime()
      const waits = (waiting.get(id) ?? 0) - now
      // A longer wait means that the clock was set back.
      if (waits > 0 && waits <= gapMs) return
      waiting.delete(id)
      const due = Math.max(announcedAt === null ? 0 : Date.parse(announcedAt) + gapMs, now)
      const job = { payload: { sendId: id }, uniqueKey: id, dueAt: new Date(due).toISOString() }
      if (!(await announcements.add(db, orgId, [job]))) return
      afterCommit(() => {
        waiting.set(id, due)
        announcements.wake()
      })
    },
  }
}
export type Announcing = ReturnType<typeof createAnnouncing>
