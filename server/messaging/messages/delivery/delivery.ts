import { findAttempts } from '#server/messaging/outbox/attempts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { applyAccepted } from './accepted.ts'
import { type DeliveryChange, settle, statusEvent } from './moves.ts'
import { applyStatuses } from './statuses.ts'
import { type DeliveryRow, findDeliveries } from './store.ts'

export type DeliveryTarget = { messageId: string } | { wamid: string } | { callback: string }

const findTarget = async (db: Db, orgId: string, target: DeliveryTarget): Promise<DeliveryRow | undefined> => {
  if ('wamid' in target) return (await findDeliveries.byWamid(db, [target.wamid], { orgId }))[0]
  if ('messageId' in target) return (await findDeliveries.byId(db, [target.messageId], { orgId }))[0]
  const attempt = (await findAttempts(db, [target.callback], { orgId }))[0]
  return attempt && (await findDeliveries.byId(db, [attempt.message_id], { orgId }))[0]
}

/**
 * The ids of our messages, by what names them: the wamid, or the callback that was sent with an attempt. Unknown names
 * are absent.
 */
export async function findMessageIds(
  db: Db,
  orgId: string,
  { wamids, callbacks }: { wamids: readonly string[]; callbacks: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const attempts = callbacks.length ? await findAttempts(db, callbacks, { orgId }) : []
  const rows = wamids.length ? await findDeliveries.byWamid(db, wamids, { orgId }) : []
  return new Map([
    ...rows.flatMap(({ wamid, id }): [string, string][] => (wamid === null ? [] : [[wamid, id]])),
    ...attempts.map(({ callback, message_id: id }): [string, string] => [callback, id]),
  ])
}

/**
 * Applies one change to one message: the answer to a send call, a status, a failure. A status of an unknown message is
 * kept for later. Any other change of an unknown message, or of another organization's message, does nothing.
 */
export async function applyDelivery(
  write: OrgWrite,
  target: DeliveryTarget,
  change: DeliveryChange,
  parts: { clock: Clock },
): Promise<void> {
  const { db, orgId } = write
  if (change.kind === 'status') return applyStatuses(write, [change], parts)
  const known = await findTarget(db, orgId, target)
  if (!known) return
  if (change.kind === 'waiting') {
    const { reason, until, at } = change
    if (known.status === 'queued') write.emit(statusEvent(known, at, { waiting: { reason, until } }))
    return
  }
  if (change.kind === 'accepted') return applyAccepted(write, [{ messageId: known.id, ...change }], parts)
  await settle(write, new Map([[known, [change]]]), isoNow(parts.clock))
}

/** Marks messages as failed with one code. Messages that were delivered or failed before do not change. */
export async function failMessages(
  write: OrgWrite,
  ids: readonly string[],
  code: string,
  parts: { clock: Clock },
): Promise<void> {
  const at = isoNow(parts.clock)
  const rows = await findDeliveries.byId(write.db, ids, { orgId: write.orgId })
  await settle(write, new Map(rows.map(row => [row, [{ kind: 'failed', code, at }]])), at)
}

/** Queues failed messages again, except unconfirmed ones. Returns those that were queued. */
export async function requeueMessages(
  write: OrgWrite,
  ids: readonly string[],
  parts: { clock: Clock },
): Promise<readonly { readonly id: string; readonly conversationId: string }[]> {
  const at = isoNow(parts.clock)
  const rows = await findDeliveries.byId(write.db, ids, { orgId: write.orgId })
  const failed = rows.filter(row => row.status === 'failed' && row.unconfirmed === 0)
  await settle(write, new Map(failed.map(row => [row, [{ kind: 'requeued', at }]])), at)
  return failed.map(row => ({ id: row.id, conversationId: row.conversation_id }))
}
