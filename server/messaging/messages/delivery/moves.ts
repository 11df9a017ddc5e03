import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import { isTypedText } from '#server/messaging/events.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { VendorFailure } from '#server/whatsapp/webhooks/inbound.ts'
import type { MessageStatus, Waiting, WaitingReason } from '#shared/inbox/messages.ts'
import { type DeliveryRow, saveDeliveries, saveLastStatus } from './store.ts'

export type DeliveryChange =
  | { kind: 'accepted'; wamid: string; at: string; waId?: string; bsuid?: string }
  | {
      kind: 'status'
      wamid: string
      status: 'sent' | 'delivered' | 'read' | 'failed'
      at: string
      failure?: VendorFailure
      callback?: string
      /** Meta's billing of the message: type and category, such as `regular:marketing`. */
      pricing?: string
    }
  /** WhatsApp refused it, or sending was given up. An unconfirmed message stays unconfirmed. */
  | { kind: 'failed'; code: string; detail?: string; at: string }
  /** It is unknown whether the request arrived. A webhook may tell later. */
  | { kind: 'unconfirmed'; at: string }
  /** WhatsApp did not accept it yet and it will be retried. Only open pages are informed; the row does not change. */
  | { kind: 'waiting'; reason: WaitingReason; until: string; at: string }
  /** A person sends a failed message again, which starts a new attempt. */
  | { kind: 'requeued'; at: string }

const rank: Record<string, number> = { queued: 0, sent: 1, delivered: 2, read: 3 }
const earlier = (known: string | null, at: string) => (known === null || at < known ? at : known)

/** We gave up on the message, but WhatsApp never said that it failed. */
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
 * Applies a change to a message. Its status only moves forward: queued, sent, delivered, read. `failed` is final unless
 * WhatsApp never confirmed the failure and then reports progress.
 */
const advance = (row: DeliveryRow, change: DeliveryChange): void => {
  if (change.kind === 'waiting') return
  if (change.kind === 'accepted') {
    if (isDoubtful(row)) Object.assign(clearFailure(row), { status: 'queued' })
    row.wamid ??= change.wamid
    row.unconfirmed = 0
  } else if (change.kind === 'status' && change.status !== 'failed') {
    progress(row, change.status, change.at)
    row.pricing = change.pricing ?? row.pricing
    row.wamid ??= change.wamid
  } else if (change.kind === 'requeued') {
    if (row.status === 'failed')
      Object.assign(clearFailure(row), { status: 'queued', wamid: null, sent_at: null, pricing: null })
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

/** The event that tells clients the status of a message. */
export const statusEvent = (
  row: DeliveryRow,
  at: string,
  { waiting, before }: { waiting?: Waiting; before?: string } = {},
): EventOf<'message.status'> => ({
  type: 'message.status',
  data: {
    ...conversationRef({ ...row, id: row.conversation_id }),
    id: row.id,
    wamid: row.wamid,
    status: row.status as MessageStatus,
    ...(before === undefined ? {} : { before: before as MessageStatus }),
    at,
    isLast: row.last_message_seq === row.seq,
    errorCode: row.error_code,
    unconfirmed: row.unconfirmed === 1,
    ...(row.author_kind === 'bulk' ? { bulk: true as const } : {}),
    ...(isTypedText({ type: row.type, authorKind: row.author_kind }) ? { typed: true as const } : {}),
    ...(waiting ? { waiting } : {}),
  },
})

const facts = ['wamid', 'status', 'error_code', 'unconfirmed'] as const
const stamps = ['sent_at', 'delivered_at', 'read_at', 'failed_at', 'error_detail', 'pricing'] as const
const differ = (a: DeliveryRow, b: DeliveryRow, columns: readonly (keyof DeliveryRow)[]) =>
  columns.some(column => a[column] !== b[column])

/** Applies changes to messages and stores them. Emits `message.status` for each message that looks different. */
export const settle = async (
  { db, orgId, emit }: OrgWrite,
  moves: ReadonlyMap<DeliveryRow, readonly DeliveryChange[]>,
  now: string,
): Promise<void> => {
  const written: DeliveryRow[] = []
  const ticked: DeliveryRow[] = []
  for (const [row, changes] of moves) {
    const before = { ...row }
    for (const change of changes) advance(row, change)
    const isSeen = differ(row, before, facts)
    if (isSeen || differ(row, before, stamps)) written.push(row)
    if (!isSeen) continue
    if (row.status !== before.status && row.last_message_seq === row.seq) ticked.push(row)
    emit(statusEvent(row, changes.at(-1)?.at ?? now, { before: before.status }))
  }
  await saveDeliveries(db, written, { orgId })
  await saveLastStatus(db, ticked, { orgId })
}
