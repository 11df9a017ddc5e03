import { type AttemptRow, findAttempts, settleAttempts } from '#server/messaging/outbox/attempts.ts'
import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { keepEffects, type StatusEffect } from '../changes/early-change-store.ts'
import { noteFree } from './free-entry.ts'
import { type DeliveryChange, settle } from './moves.ts'
import { type DeliveryRow, findDeliveries } from './store.ts'

export { findEarlyStatus } from '../changes/early-change-store.ts'

/** Finds the messages of statuses with an unknown wamid by their attempts, because a send may have got no answer. */
const nameByAttempt = async (
  db: OrgDb,
  orgId: string,
  effects: readonly StatusEffect[],
): Promise<ReadonlyMap<StatusEffect, DeliveryRow>> => {
  const named = new Map<StatusEffect, DeliveryRow>()
  const callbacks = effects.flatMap(effect => (effect.callback ? [effect.callback] : []))
  const attempts = callbacks.length ? await findAttempts(db, callbacks, { orgId }) : []
  if (!attempts.length) return named
  const rows = await findDeliveries.byId(
    db,
    attempts.map(attempt => attempt.message_id),
    { orgId },
  )
  const rowById = new Map(rows.map(row => [row.id, row]))
  const attemptOf = new Map(attempts.map(attempt => [attempt.callback, attempt]))
  const settled = new Map<DeliveryRow, { attempt: AttemptRow; effect: StatusEffect }>()
  for (const effect of effects) {
    const attempt = effect.callback ? attemptOf.get(effect.callback) : undefined
    const row = attempt && rowById.get(attempt.message_id)
    if (!attempt || !row || row.wamid !== null) continue
    // A failure of an older attempt does not concern the attempt after it.
    if (effect.status === 'failed' && attempt.seq !== attempt.latest) continue
    const first = settled.get(row) ?? { attempt, effect }
    settled.set(row, first)
    if (first.effect.wamid === effect.wamid) named.set(effect, row)
  }
  await settleAttempts(
    db,
    [...settled.values()].map(({ attempt, effect }) => ({ seq: attempt.seq, wamid: effect.wamid, at: effect.at })),
    { orgId },
  )
  return named
}

/** Converts a status to a change of its message. */
export const deliveryChange = (effect: StatusEffect): DeliveryChange => ({
  kind: 'status',
  wamid: effect.wamid,
  status: effect.status,
  at: effect.at,
  failure: effect.failure,
  callback: effect.callback,
  pricing: effect.pricing,
})

/**
 * Applies statuses of many messages. They may be repeated and in any order; those of unknown messages are kept for
 * later. Emits `message.status` for each message that looks different.
 */
export async function applyStatuses(
  write: OrgWrite,
  effects: readonly StatusEffect[],
  parts: { clock: Clock },
): Promise<void> {
  if (!effects.length) return
  const { db, orgId } = write
  const now = isoNow(parts.clock)
  const rows = await findDeliveries.byWamid(
    db,
    effects.map(effect => effect.wamid),
    { orgId },
  )
  const byWamid = new Map(rows.map(row => [row.wamid, row]))
  const named = await nameByAttempt(
    db,
    orgId,
    effects.filter(effect => !byWamid.has(effect.wamid)),
  )
  for (const [effect, row] of named) byWamid.set(effect.wamid, row)
  const moves = new Map<DeliveryRow, DeliveryChange[]>()
  const unmatched: StatusEffect[] = []
  for (const effect of effects) {
    const row = byWamid.get(effect.wamid)
    if (!row) unmatched.push(effect)
    else moves.set(row, [...(moves.get(row) ?? []), deliveryChange(effect)])
  }
  await keepEffects(db, orgId, unmatched, parts.clock.now())
  await settle(write, moves, now)
  await noteFree(
    write,
    effects.flatMap(({ wamid, freeUntil }) => {
      const row = byWamid.get(wamid)
      return row && freeUntil ? [{ conversationId: row.conversation_id, freeUntil }] : []
    }),
  )
}
