import { seesAll } from '#server/identity/visibility/scope.ts'
import { emitOpened } from '#server/messaging/conversations/changes/opened.ts'
import { newConversation } from '#server/messaging/conversations/conversations.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers, type OwnNumber } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { findConversations } from '#server/messaging/conversations/rows/store.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { identifierOfAddress } from '#server/messaging/identifier.ts'
import { conversationOf, findRowsOf } from '#server/messaging/messages/inbound/messages.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { chooseConversation } from './sending-number.ts'

const invalidAddress = () => new InvalidInput([{ field: 'body.numberTel', code: 'invalid', params: {} }])

/**
 * The conversation with this customer on `phone`, or on our first number. Creates the contact if it is new. @throws
 * InvalidInput for an invalid number or our own; INBOX_CHAT_NOT_FOUND when the caller may not see the conversation;
 * APP_TOO_MANY_KEPT
 */
export async function beginConversation(
  write: OrgWrite,
  to: { address: string; phone: string | undefined; numbers: readonly OwnNumber[] },
  parts: DirectoryParts,
): Promise<ListRow> {
  const { db, orgId } = write
  const { address, phone, numbers } = to
  const identifier = identifierOfAddress(address)
  if (identifier?.kind !== 'phone') throw invalidAddress()
  if (numbers.some(own => phoneKey(own.phone) === identifier.key)) throw invalidAddress()
  const connected = numbers.filter(own => own.isConnected)
  const number = phone ? connected.find(own => phoneKey(own.phone) === phoneKey(digitsOf(phone))) : connected[0]
  if (!number) throw inboxErrors.NOT_CONNECTED()
  const at = isoNow(parts.clock)
  const sender = { waId: digitsOf(address) }
  const directory = await openDirectory(db, orgId, [sender], parts)
  const contact = directory.ensure(sender)
  await requireRoomFor(db, orgId, 'contacts', directory.countNew())
  await directory.save()
  const rows = await findRowsOf(db, orgId, [contact.id])
  if (rows.has(conversationOf(contact, number))) throw inboxErrors.CHAT_NOT_FOUND()
  const row = newConversation({ id: parts.ids(parts.clock.now().getTime()), orgId, at, contact, number })
  await saveConversations(db, [row], { orgId })
  emitOpened(write, [{ row, contact }])
  return row
}

/** The result for a program that names a customer. */
export interface NamedCustomer {
  readonly conversationId: string
  readonly contactId: string
  readonly isBlocked: boolean
  readonly isOptedOut: boolean
  /** There was no conversation before. */
  readonly isNew: boolean
}

/**
 * The conversation with the customer that a program names: on `phone`, or the one they wrote to last, or a new one.
 * @see beginConversation
 */
export async function nameContact(
  write: OrgWrite,
  { number, phone }: { number: string; phone: string | undefined },
  parts: DirectoryParts,
): Promise<NamedCustomer> {
  const { db, orgId } = write
  const identifier = identifierOfAddress(number)
  if (identifier?.kind !== 'phone') throw invalidAddress()
  const numbers = await listOwnNumbers(db, orgId)
  const known = await findConversations(db, { orgId, scope: seesAll }, identifier)
  const chosen = chooseConversation(known, numbers, { phone, isOne: false })
  const row = chosen ?? (await beginConversation(write, { address: number, phone, numbers }, parts))
  return {
    conversationId: row.id,
    contactId: row.contact_id,
    isBlocked: row.blocked_at !== null,
    isOptedOut: row.opt_out !== null,
    isNew: chosen === undefined,
  }
}
