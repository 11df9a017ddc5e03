import type { EventOf } from '#shared/events/domain.ts'
import type { MessageStatus, Waiting, WaitingReason } from '#shared/inbox.ts'
import { type Clock, isoNow } from '../../clock.ts'
import type { Db } from '../../db.ts'
import type { OrgDb, OrgWrite } from '../../events/writes.ts'
import { newId } from '../../ids.ts'
import { type AttemptRow, findAttempts, settleAttempts } from '../../outbox/attempts.ts'
import type { VendorFailure } from '../../whatsapp/inbound.ts'
import { openDirectory } from '../contacts/contacts.ts'
import { emitMerges, runMerges } from '../contacts/merge.ts'
import { placeOf } from '../present.ts'
import { type DeliveryRow, findDeliveries, replaceCopy, saveDeliveries, saveLastStatus } from './delivery-store.ts'
import { keepEffects, type MessageChange, type StatusEffect, takeEffects } from './early-change-store.ts'
import { noteFree } from './free-entry.ts'
import { applyMessageChanges } from './message-changes.ts'

export { findEarlyStatus } from './early-change-store.ts'

export type DeliveryTarget = { messageId: string } | { wamid: string } | { callback: string }

export type DeliveryChange =
  | { kind: 'accepted'; wamid: string; at: string; waId?: string; bsuid?: string }
  | {
      kind: 'status'
      wamid: string
      status: 'sent' | 'delivered' | 'read' | 'failed'
      at: string
      failure?: VendorFailure
      callback?: string
    }
  /** Refused, or given up. What nobody knows stays unconfirmed. */
  | { kind: 'failed'; code: string; detail?: string; at: string }
  /** The request may have arrived; only a webhook can tell. */
  | { kind: 'unconfirmed'; at: string }
  /** It was not taken yet and is tried again; nothing changes but what a reader is told. */
  | { kind: 'waiting'; reason: WaitingReason; until: string; at: string }
  /** A person sends a failed message again: it starts over with a new attempt. */
  | { kind: 'requeued'; at: string }

const rank: Record<string, number> = { queued: 0, sent: 1, delivered: 2, read: 3 }
const earlier = (known: string | null, at: string) => (known === null || at < known ? at : known)

/** A failure nobody confirmed: we gave up, but WhatsApp never said no to something it had taken. */
const isDoubtful = (row: DeliveryRow) => row.status === 'failed' && (row.unconfirmed === 1 || row.wamid === null)

const clearFailure = (row: DeliveryRow) =>
  Object.assign(row, { failed_at: null, error_code: null, error_detail: null, unconfirmed: 0 })

const fail = (row: DeliveryRow, at: string, code: string, detail: string | undefined) =>
  Object.assign(row, { status: 'failed', failed_at: at, error_code: code, error_detail: detail ?? null })

const progress = (row: DeliveryRow, status: 'sent' | 'delivered' | 'read', at: string) => {
  if (isDoubtful(row)) Object.assign(clearFailure(row), { status: 'queued' })
  if (status === 'sent') row.sent_at = earlier(row.sent_at, at)
  else if (status === 'delivered') row.delivered_at = earlier(row.delivered_at, at)
  else row.read_at = earlier(row.read_at, at)
  row.unconfirmed = 0
  if (row.status !== 'failed' && (rank[status] ?? 0) > (rank[row.status] ?? 0)) row.status = status
}

/**
 * Moves a message on; it never goes back: queued, sent, delivered, read. Failed is the end, unless it was a failure
 * nobody confirmed and WhatsApp then tells otherwise.
 */
const advance = (row: DeliveryRow, change: DeliveryChange): void => {
  if (change.kind === 'waiting') return
  if (change.kind === 'accepted') {
    if (isDoubtful(row)) Object.assign(clearFailure(row), { status: 'queued' })
    row.wamid ??= change.wamid
    row.unconfirmed = 0
  } else if (change.kind === 'status' && change.status !== 'failed') {
    progress(row, change.status, change.at)
    row.wamid ??= change.wamid
  } else if (change.kind === 'requeued') {
    if (row.status === 'failed') Object.assign(clearFailure(row), { status: 'queued', wamid: null, sent_at: null })
  } else if (row.status === 'delivered' || row.status === 'read') return
  else if (change.kind === 'status') {
    if (row.status === 'failed' && !isDoubtful(row)) return
    fail(row, change.at, change.failure?.code ?? 'unknown', change.failure?.detail ?? change.failure?.title)
    row.wamid ??= change.wamid
    row.unconfirmed = 0
  } else if (change.kind === 'failed') {
    if (row.status !== 'failed') fail(row, change.at, change.code, change.detail)
  } else if (row.status === 'queued' && row.wamid === null) row.unconfirmed = 1
}

const statusEvent = (row: DeliveryRow, at: string, waiting?: Waiting): EventOf<'message.status'> => ({
  type: 'message.status',
  data: {
    ...placeOf({ ...row, id: row.conversation_id }),
    id: row.id,
    wamid: row.wamid,
    status: row.status as MessageStatus,
    at,
    isLast: row.last_message_seq === row.seq,
    errorCode: row.error_code,
    unconfirmed: row.unconfirmed === 1,
    ...(row.author_kind === 'bulk' ? { bulk: true as const } : {}),
    ...(waiting ? { waiting } : {}),
  },
})

const facts = (row: DeliveryRow) => [row.wamid, row.status, row.error_code, row.unconfirmed].join('\n')
const stamps = (row: DeliveryRow) =>
  [row.sent_at, row.delivered_at, row.read_at, row.failed_at, row.error_detail].join('\n')

/** Writes what moved and says what a reader can see of it. */
const settle = async (
  { db, orgId, emit }: OrgWrite,
  moves: ReadonlyMap<DeliveryRow, readonly DeliveryChange[]>,
  now: string,
): Promise<void> => {
  const written: DeliveryRow[] = []
  const ticked: DeliveryRow[] = []
  for (const [row, changes] of moves) {
    const before = { facts: facts(row), stamps: stamps(row), status: row.status }
    for (const change of changes) advance(row, change)
    const isSeen = facts(row) !== before.facts
    if (isSeen || stamps(row) !== before.stamps) written.push(row)
    if (!isSeen) continue
    if (row.status !== before.status && row.last_message_seq === row.seq) ticked.push(row)
    emit(statusEvent(row, changes.at(-1)?.at ?? now))
  }
  await saveDeliveries(db, written, { orgId })
  await saveLastStatus(db, ticked, { orgId })
}

/** A status that names an attempt whose answer never came tells which message it is. */
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
    // An older attempt's failure says nothing of the one that followed it.
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

const changeOf = (effect: StatusEffect): DeliveryChange => ({
  kind: 'status',
  wamid: effect.wamid,
  status: effect.status,
  at: effect.at,
  failure: effect.failure,
  callback: effect.callback,
})

/**
 * Statuses of many messages at once, in any order and as often as they come. What finds no message yet is kept until
 * one has its wamid. Emits `message.status` for each message that a reader sees move.
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
    else moves.set(row, [...(moves.get(row) ?? []), changeOf(effect)])
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

const findTarget = async (db: Db, orgId: string, target: DeliveryTarget): Promise<DeliveryRow | undefined> => {
  if ('wamid' in target) return (await findDeliveries.byWamid(db, [target.wamid], { orgId }))[0]
  if ('messageId' in target) return (await findDeliveries.byId(db, [target.messageId], { orgId }))[0]
  const attempt = (await findAttempts(db, [target.callback], { orgId }))[0]
  return attempt && (await findDeliveries.byId(db, [attempt.message_id], { orgId }))[0]
}

/** These of our messages fail together, for one reason. What was delivered, or failed before, stays as it is. */
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

/** Those of these messages that failed for certain start over, each with a new attempt; answers them. */
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

const knowsRecipient = (row: DeliveryRow, { waId, bsuid }: { waId?: string; bsuid?: string }): boolean =>
  (!waId || waId === row.wa_id) && (!bsuid || bsuid === row.bsuid)

/** Meta's answer tells how it spells the customer, and the user id: what was two contacts may prove to be one. */
const learnRecipient = async (
  db: OrgDb,
  orgId: string,
  row: DeliveryRow,
  sender: { waId?: string; bsuid?: string },
  clock: Clock,
) => {
  const directory = await openDirectory(db, orgId, [sender], { clock, ids: newId }, [row.contact_id])
  directory.learn(row.contact_id, sender, isoNow(clock))
  return runMerges(db, orgId, await directory.save())
}

/** Copies of these messages that came by webhook before the answer did give way to the originals; answers whether any did. */
const dropCopies = async (
  db: OrgDb,
  orgId: string,
  rows: readonly DeliveryRow[],
  acceptedAs: (row: DeliveryRow) => { wamid: string },
): Promise<boolean> => {
  const originals = new Map(rows.filter(row => row.wamid === null).map(row => [acceptedAs(row).wamid, row]))
  const copies = originals.size ? await findDeliveries.byWamid(db, [...originals.keys()], { orgId }) : []
  for (const copy of copies)
    await replaceCopy(db, orgId, { copy, original: originals.get(copy.wamid as string) as DeliveryRow })
  return copies.length > 0
}

/**
 * One change of one message: the answer of a send, a status, a failure. A status for a message nobody knows is kept;
 * any other change of an unknown message, or of another organization's, does nothing.
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
    if (known.status === 'queued') write.emit(statusEvent(known, at, { reason, until }))
    return
  }
  if (change.kind === 'accepted') return applyAccepted(write, [{ messageId: known.id, ...change }], parts)
  await settle(write, new Map([[known, [change]]]), isoNow(parts.clock))
}

/** What WhatsApp took of our messages, each with its wamid. What came of them by webhook before is applied behind it. */
export async function applyAccepted(
  write: OrgWrite,
  many: readonly ({ messageId: string } & Omit<Extract<DeliveryChange, { kind: 'accepted' }>, 'kind'>)[],
  { clock }: { clock: Clock },
): Promise<void> {
  const { db, orgId } = write
  const changes = new Map(many.map(({ messageId, ...change }) => [messageId, { kind: 'accepted', ...change } as const]))
  const changeFor = (row: DeliveryRow) => changes.get(row.id) as Extract<DeliveryChange, { kind: 'accepted' }>
  const find = () => findDeliveries.byId(db, [...changes.keys()], { orgId })
  const known = await find()
  const wamids = known.map(row => changeFor(row).wamid)
  let isNews = await dropCopies(db, orgId, known, changeFor)
  const merged: Awaited<ReturnType<typeof learnRecipient>>[number][] = []
  for (const row of known) {
    if (knowsRecipient(row, changeFor(row))) continue
    isNews = true
    merged.push(...(await learnRecipient(db, orgId, row, changeFor(row), clock)))
  }
  const rows = isNews ? await find() : known
  const waiting = await takeEffects(db, orgId, wamids)
  const statuses = Map.groupBy(
    waiting.filter((effect): effect is StatusEffect => effect.kind === 'status'),
    ({ wamid }) => wamid,
  )
  const moves = rows.map(
    row => [row, [changeFor(row), ...(statuses.get(changeFor(row).wamid) ?? []).map(changeOf)]] as const,
  )
  await settle(write, new Map(moves), isoNow(clock))
  await emitMerges(write, merged)
  await noteFree(
    write,
    rows.flatMap(row =>
      (statuses.get(changeFor(row).wamid) ?? []).flatMap(({ freeUntil }) =>
        freeUntil ? [{ conversationId: row.conversation_id, freeUntil }] : [],
      ),
    ),
  )
  const messageChanges = waiting.filter((effect): effect is MessageChange => effect.kind !== 'status')
  await applyMessageChanges(write, messageChanges, { clock })
}
