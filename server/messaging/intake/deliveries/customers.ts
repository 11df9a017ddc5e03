import type { Viewer } from '#server/identity/visibility/scope.ts'
import { findChatIds, type NamedConversation, nameConversations } from '#server/messaging/conversations/shown/named.ts'
import { identifiersOf } from '#server/messaging/identifier.ts'
import type { Db } from '#server/platform/db/database.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { CustomerIds, WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { customersShown, type Delivery } from '#shared/deliveries/api.ts'

type DeliveryCustomer = Delivery['customers'][number]

/** With whom the chat of an item is. Undefined: with nobody, or with a group. */
export const itemCustomer = (item: WebhookItem): CustomerIds | undefined => {
  if (item.kind === 'message') return item.groupId === undefined ? item.sender : undefined
  if (item.kind === 'echo' || item.kind === 'status') return item.recipient
  if (item.kind === 'identity') return item.current
  return item.kind === 'reaction' || item.kind === 'edit' || item.kind === 'revoke' || item.kind === 'handover'
    ? item.sender
    : undefined
}

const keysOf = (sender: CustomerIds): string[] => identifiersOf(sender).map(({ kind, key }) => `${kind} ${key}`)

/** The identifier that is shown for a customer without a chat. */
const shownOf = (sender: CustomerIds): string | undefined => {
  const [first] = identifiersOf(sender)
  if (!first || first.kind === 'other') return undefined
  return first.kind === 'phone'
    ? displayPhone(first.value)
    : first.kind === 'username'
      ? `@${first.value}`
      : first.value
}

/** The addressees of a delivery: the number it came to, and the customers of its items. */
interface Addressed {
  readonly seq: number
  readonly line: string
  readonly senders: readonly CustomerIds[]
}

/** Names the customers of deliveries, each once, with the address of their chat on that number. */
export async function nameCustomers(
  db: Db,
  viewer: Viewer,
  deliveries: readonly Addressed[],
): Promise<ReadonlyMap<number, DeliveryCustomer[]>> {
  const identifiers = deliveries.flatMap(({ senders }) => senders.flatMap(identifiersOf))
  const chats = await findChatIds(db, viewer, [...new Set(identifiers.map(({ key }) => key))])
  const chatOf = (line: string, sender: CustomerIds) => {
    for (const key of keysOf(sender)) {
      const id = chats.get(`${line} ${key}`)
      if (id !== undefined) return id
    }
    return undefined
  }
  const ids = deliveries.flatMap(({ line, senders }) => senders.flatMap(sender => chatOf(line, sender) ?? []))
  const named: ReadonlyMap<string, NamedConversation> = await nameConversations(db, viewer.orgId, [...new Set(ids)])
  return new Map(
    deliveries.map(({ seq, line, senders }) => {
      const customers = new Map<string, DeliveryCustomer>()
      for (const sender of senders) {
        const chat = named.get(chatOf(line, sender) ?? '')
        const shown = shownOf(sender)
        if (chat) customers.set(chat.address, { name: chat.name, address: chat.address })
        else if (shown !== undefined) customers.set(shown, { name: shown, address: null })
      }
      return [seq, [...customers.values()].slice(0, customersShown)]
    }),
  )
}
