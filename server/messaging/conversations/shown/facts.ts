import type { OfConversation } from '#server/messaging/events.ts'
import { contactAddress } from '#server/messaging/identifier.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { findRows, type ListRow, readTagsOfContacts } from '../rows/list-row-store.ts'
import { listOwnNumbers } from '../rows/number-store.ts'
import { nameOf } from './present.ts'

/** The facts of a conversation that other programs get with each of its events. */
export interface ConversationFacts {
  readonly conversationId: string
  /** Our number, digits. Null: the organization has none any more. */
  readonly number: string | null
  readonly customer: {
    readonly id: string
    readonly phone: string | null
    readonly userId: string | null
    readonly name: string
  }
  readonly tagIds: readonly string[]
}

const isDigits = (text: string) => /^\d+$/.test(text)

/** A customer by their address. */
export const customerFacts = (id: string, address: string, name: string): ConversationFacts['customer'] => ({
  id,
  phone: isDigits(address) ? address : null,
  userId: address === '' || isDigits(address) ? null : address,
  name,
})

/**
 * The facts of a conversation that comes with its event, without reading it. `phone`: our only number, which such a
 * conversation does not name.
 */
export const factsOfShown = (
  { contactId, number }: Pick<OfConversation, 'contactId' | 'number'>,
  shown: Conversation,
  phone: string | null,
): ConversationFacts => ({
  conversationId: shown.id,
  number: shown.number ?? phone,
  customer: customerFacts(contactId, number, shown.name),
  tagIds: shown.tags.map(({ id }) => id),
})

/** The facts by conversation. Conversations that do not exist are absent. */
export async function readConversationFacts(
  db: Db,
  orgId: string,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, ConversationFacts>> {
  if (!conversationIds.length) return new Map()
  const rows = await findRows.byId(db, conversationIds, { orgId })
  const tags = await readTagsOfContacts(db, orgId, [...new Set(rows.map(row => row.contact_id))])
  const phones = new Map((await listOwnNumbers(db, orgId)).map(({ id, phone }) => [id, phone]))
  const factsOf = (row: ListRow): ConversationFacts => ({
    conversationId: row.id,
    number: phones.get(row.connection_id) ?? null,
    customer: customerFacts(row.contact_id, contactAddress(row), nameOf(row)),
    tagIds: (tags.get(row.contact_id) ?? []).map(({ id }) => id),
  })
  return new Map(rows.map(row => [row.id, factsOf(row)]))
}
