import type { Db } from '#server/platform/db/database.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import { wallTime } from '#shared/kernel/time.ts'
import { freeReplies } from '#shared/stats/cost.ts'
import { markNotified } from './reply-month-store.ts'
import type { ReplyMonth } from './sent-store.ts'

interface NoticeParts {
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly notifyRoles: Notify['notifyRoles']
  readTimeZone(orgId: string, db?: Db): Promise<string>
  findPhone(orgId: string, connectionId: string): Promise<string | undefined>
}

/** Percentages of the free replies of a month at which people are notified. */
const steps = [100, 80] as const

/** Notifies people who see costs before the free replies of a number end, once for each number, month and step. */
export const createReplyNotices = ({ clock, writes, notifyRoles, readTimeZone, findPhone }: NoticeParts) => ({
  async tell({ orgId, connectionId, month, count, notified }: ReplyMonth): Promise<void> {
    const step = steps.find(percent => count * 100 >= percent * freeReplies)
    if (step === undefined || step <= notified) return
    // An old month is counted when an installation is updated: nobody can do anything about it.
    const now = wallTime(clock.now().getTime(), await readTimeZone(orgId)).slice(0, 7)
    if (month !== now) return
    const phone = await findPhone(orgId, connectionId)
    if (phone === undefined) return
    await writes.run(orgId, systemActor('stats'), async write => {
      if (!(await markNotified(write.db, orgId, { connectionId, month, percent: step }))) return
      const words = {
        key: step === 100 ? 'freeRepliesOver' : 'freeRepliesEnding',
        params: { number: displayPhone(phone) || phone, count, free: freeReplies },
      }
      await notifyRoles(write, rolesWith('cost:read'), { words })
    })
  },
})
export type ReplyNotices = ReturnType<typeof createReplyNotices>
