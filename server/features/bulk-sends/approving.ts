import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { changedEvent, countPeople, moveSend } from './changed.ts'
import { bulkSendErrors } from './errors.ts'
import type { HandOver } from './sending/hand-over.ts'
import type { Scheduling } from './sending/scheduling.ts'
import { changeSend } from './store.ts'
import { anyCount, type StoredSend } from './stored-send.ts'

export interface ApprovingParts {
  readonly clock: Clock
  readonly handOver: HandOver
  readonly scheduling: Scheduling
  /** The number of recipients from which a second person has to approve a send. Null: never. */
  readApprovalFrom(orgId: string, db: Db): Promise<number | null>
}

/** True if the creator wants it to start now that its recipients are known, and they are as many as expected. */
const isToStart = ({ startIfPlanned, counts: { planned } }: StoredSend): boolean =>
  startIfPlanned === anyCount || (planned > 0 && planned === startIfPlanned)

/** @throws BULK_SENDS_APPROVAL_NEEDED */
export const requireApproval = ({ approval }: StoredSend): void => {
  if (approval?.state === 'needed') throw bulkSendErrors.APPROVAL_NEEDED()
}

/** A second person's approval of large sends. */
export function createApproving({ clock, handOver, scheduling, readApprovalFrom }: ApprovingParts) {
  /** Continues as its creator requested: starts it, schedules it, or leaves it to be started. */
  const goOn = async (write: OrgWrite, send: StoredSend): Promise<StoredSend> => {
    if (!isToStart(send)) return moveSend(write, send, { state: 'ready', startsAt: null, isWritten: true })
    if (send.counts.planned && send.startsAt && scheduling.isAhead(send.startsAt))
      return scheduling.set(write, send, send.startsAt, { isWritten: true })
    return handOver.begin(write, send, { isWritten: true })
  }

  return {
    /** Its recipients were written. */
    async begin(write: OrgWrite, send: StoredSend): Promise<void> {
      const from = await readApprovalFrom(write.orgId, write.db)
      if (from === null || countPeople(send) < from) return void (await goOn(write, send))
      const approval = { state: 'needed', by: null, at: null } as const
      await moveSend(write, send, { state: 'ready', isWritten: true, approval })
    },

    /** @throws BULK_SENDS_APPROVAL_OF_OWN, BULK_SENDS_WRONG_STATE */
    async approve(write: OrgWrite, caller: OrgCaller, send: StoredSend): Promise<StoredSend> {
      if (caller.kind !== 'person' || caller.userId === send.creatorId) throw bulkSendErrors.APPROVAL_OF_OWN()
      if (send.approval?.state !== 'needed' || send.state !== 'ready')
        throw bulkSendErrors.WRONG_STATE({ params: { state: send.state } })
      const approval = { state: 'given', by: caller.name, at: isoNow(clock) } as const
      await changeSend(write.db, write.orgId, send.id, { approval })
      const { data, ...event } = changedEvent(send, send.state)
      write.emit({ ...event, data: { ...data, approval: { by: caller.name } } })
      return goOn(write, { ...send, approval })
    },
  }
}
export type Approving = ReturnType<typeof createApproving>
