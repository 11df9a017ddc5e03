import { Type } from 'typebox'
import { changedEvent } from '#server/features/bulk-sends/changed.ts'
import { changeSend, findSend, type StoredSend } from '#server/features/bulk-sends/store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'

/** Open pages are told of one send at most so often. */
const gapMs = 1000

/** Tells open pages of what became of a send's people, all of a second together. */
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
      // With the end of the job: what is counted after it asks for another.
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

  /** When those are due that were asked for here: until then they wait, and need not be asked for again. */
  const waiting = new Map<string, number>()

  return {
    /** In the transaction of what changed. */
    async ask({ db, orgId, afterCommit }: OrgWrite, { id, announcedAt }: StoredSend): Promise<void> {
      const now = clock.now().getTime()
      const waits = (waiting.get(id) ?? 0) - now
      // Longer than that none waits: the clock was set back.
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
