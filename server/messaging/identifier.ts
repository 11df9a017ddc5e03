import type { CustomerIds } from '#server/whatsapp/webhooks/inbound.ts'
import { fold } from '#shared/kernel/fold.ts'
import { digitsOf, isBusinessScopedId, isConversationId, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'
import type { ContactIdentityTable } from './table.ts'

/** An identifier of a customer. `key` is equal for all spellings, `value` is the spelling seen. */
export interface Identifier {
  readonly kind: ContactIdentityTable['kind']
  readonly key: string
  readonly value: string
}

const phoneIdentifier = (digits: string): Identifier => ({ kind: 'phone', key: phoneKey(digits), value: digits })
const bsuidIdentifier = (bsuid: string): Identifier => ({ kind: 'bsuid', key: bsuid, value: bsuid })

/** Every identifier from Meta, the most stable first. `""` counts as absent. */
export const identifiersOf = (sender: CustomerIds): Identifier[] => {
  const found: Identifier[] = []
  if (sender.waId && isBusinessScopedId(sender.waId)) found.push(bsuidIdentifier(sender.waId))
  else if (sender.waId && digitsOf(sender.waId)) found.push(phoneIdentifier(digitsOf(sender.waId)))
  if (sender.bsuid && sender.bsuid !== sender.waId) found.push(bsuidIdentifier(sender.bsuid))
  const username = sender.username?.replace(/^@+/, '')
  if (username) found.push({ kind: 'username', key: username.toLowerCase(), value: username })
  if (sender.other && !found.length) found.push({ kind: 'other', key: sender.other, value: sender.other })
  return found
}

/** The target of an address: a customer, or one conversation. */
export interface ChatRef {
  readonly kind: Identifier['kind'] | 'conversation'
  readonly key: string
}

/** Parses a chat's address: any spelling of a number, a business-scoped id, or a conversation's id. */
export const identifierOfAddress = (address: string): ChatRef | undefined => {
  if (isConversationId(address)) return { kind: 'conversation', key: address }
  if (isBusinessScopedId(address)) return bsuidIdentifier(address)
  const digits = digitsOf(address)
  return isPhoneDigits(digits) ? phoneIdentifier(digits) : undefined
}

/** The address of a contact: the number as Meta spells it, or the business-scoped id. */
export const contactAddress = (contact: { wa_id: string | null; bsuid: string | null }): string =>
  contact.wa_id ?? contact.bsuid ?? ''

/** Contents of `contact.search`: folded names, and every number in the seen and the common spelling. */
export const contactSearchText = (
  contact: { name: string | null; profileName: string | null; username: string | null },
  phones: readonly { key: string; value: string }[],
): string => {
  const numbers = new Set(phones.flatMap(phone => [phone.key, phone.value]))
  const names = [contact.name, contact.profileName, contact.username].filter(name => name !== null)
  return fold([...names, ...numbers].join(' '))
}
