import type { EventOf } from '#server/platform/events/domain.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { BulkSendState } from '#shared/bulk-sends/states.ts'
import { changeSend, type SendChange } from './store.ts'
import type { StoredSend } from './stored-send.ts'

/** Number of planned recipients. */
export const countPeople = ({ counts }: Pick<StoredSend, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.omitted

export const changedEvent = (send: StoredSend, before: BulkSendState | null): EventOf<'bulkSend.changed'> => ({
  type: 'bulkSend.changed',
  data: {
    id: send.id,
    isTest: send.isTest,
    state: send.state,
    before,
    reason: send.reason,
    templateName: send.template.name,
    creatorId: send.creatorId,
    approval: send.state === 'ready' && send.approval?.state === 'needed' ? 'needed' : null,
    creatorName: send.authorName,
    people: countPeople(send),
    isShared: send.isShared,
  },
})

/** Changes a send's state and emits it. Returns the send after the change. */
export async function moveSend(
  write: OrgWrite,
  send: StoredSend,
  change: SendChange & { state: BulkSendState },
): Promise<StoredSend> {
  const { isWritten, ...shown } = { reason: null, ...change }
  await changeSend(write.db, write.orgId, send.id, { ...shown, isWritten })
  const moved: StoredSend = { ...send, ...shown }
  write.emit(changedEvent(moved, send.state))
  return moved
}
