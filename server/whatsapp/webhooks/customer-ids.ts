import { JsonList } from '#server/platform/text/json-parts.ts'
import { isBusinessScopedId, phoneKey } from '#shared/kernel/phone.ts'
import { asList, asObject, asText, cleanLine, type Json } from '../scalars.ts'
import type { CustomerIds } from './inbound.ts'

/** Digits of a WhatsApp id; undefined for `""`, group ids and other texts. */
export const readWaId = (value: unknown): string | undefined => {
  const text = asText(value)
  if (text === undefined) return undefined
  const digits = /^\d+$/.test(text) ? text : text.replace(/[\s()+.-]/g, '')
  return /^[1-9]\d{4,14}$/.test(digits) ? digits : undefined
}

export const bsuidOf = (value: unknown): string | undefined => {
  const text = asText(value)
  return text !== undefined && isBusinessScopedId(text) ? text : undefined
}

/** With or without the leading `@`; Meta's samples have both. */
const usernameOf = (value: unknown): string | undefined => cleanLine(asText(value)?.replace(/^@+/, ''), 64)

const put = (sender: CustomerIds, facts: CustomerIds): CustomerIds => {
  if (facts.waId !== undefined) sender.waId = facts.waId
  if (facts.bsuid !== undefined) sender.bsuid = facts.bsuid
  if (facts.username !== undefined) sender.username = facts.username
  if (facts.profileName !== undefined) sender.profileName = facts.profileName
  return sender
}

/**
 * Identifiers as Meta sends them. Some payloads have a business-scoped id in place of a number; the id of a parent
 * portfolio is used if there is no other.
 */
export const customerIdsFrom = (waId: unknown, bsuid?: unknown, parentBsuid?: unknown): CustomerIds =>
  put({}, { waId: readWaId(waId), bsuid: bsuidOf(bsuid) ?? bsuidOf(waId) ?? bsuidOf(parentBsuid) })

const contactOf = (entry: unknown): CustomerIds | undefined => {
  const contact = asObject(entry)
  if (contact === undefined) return undefined
  const profile = asObject(contact.profile)
  const sender = customerIdsFrom(contact.wa_id, contact.user_id, contact.parent_user_id)
  return put(sender, { username: usernameOf(profile?.username), profileName: cleanLine(profile?.name) })
}

/** The people in a payload, indexed by identifier because a webhook may contain thousands. */
export interface Contacts {
  readonly list: readonly CustomerIds[]
  readonly byWaId: ReadonlyMap<string, number>
  readonly byBsuid: ReadonlyMap<string, number>
}

const indexBy = (list: readonly CustomerIds[], id: 'waId' | 'bsuid'): Map<string, number> => {
  const index = new Map<string, number>()
  for (const [place, contact] of list.entries()) {
    const key = contact[id]
    if (key !== undefined && !index.has(key)) index.set(key, place)
  }
  return index
}

export const noContacts: Contacts = { list: [], byWaId: new Map(), byBsuid: new Map() }

/** Contacts are read before the first message; Meta sends at most a thousand updates per webhook. */
const contactValues = 10_000

export const readContacts = (value: Json): Contacts => {
  const { contacts } = value
  const entries = contacts instanceof JsonList ? contacts.within(contactValues) : asList(contacts)
  const list: CustomerIds[] = []
  for (const entry of entries) {
    const contact = contactOf(entry)
    if (contact) list.push(contact)
  }
  return { list, byWaId: indexBy(list, 'waId'), byBsuid: indexBy(list, 'bsuid') }
}

/** The first contact with either identifier. */
const findContact = ({ list, byWaId, byBsuid }: Contacts, { waId, bsuid }: CustomerIds): CustomerIds | undefined => {
  const places = [waId && byWaId.get(waId), bsuid && byBsuid.get(bsuid)].filter(place => typeof place === 'number')
  return list[Math.min(...places)]
}

export const isKnown = (sender: CustomerIds): boolean =>
  sender.waId !== undefined || sender.bsuid !== undefined || sender.username !== undefined || sender.other !== undefined

/** A sender without identifiers. Their messages are shown in one chat for each spelling. */
export const unknownCustomerIds = (...given: readonly unknown[]): CustomerIds => {
  const said = given.flatMap(one => cleanLine(asText(one), 100) ?? [])[0]
  return { other: `unknown ${said ?? ''}`.trim(), profileName: said ? `Desconocido ${said}` : 'Remitente desconocido' }
}

const ofGroup = 'group '

/** A group is a chat of its own, apart from its members. */
export const groupIds = (groupId: string): CustomerIds => ({
  other: ofGroup + groupId,
  profileName: `Grupo ${groupId.slice(-6)}`,
})

export const isGroup = (sender: CustomerIds): boolean => sender.other?.startsWith(ofGroup) === true

/** Comparing spellings costs more than comparing text. Meta's own webhooks have one contact per change. */
const maxSpellings = 20
const inAnotherSpelling = (waId: string | undefined, contacts: Contacts): CustomerIds | undefined => {
  if (waId === undefined || contacts.list.length > maxSpellings) return undefined
  const key = phoneKey(waId)
  return contacts.list.find(contact => contact.waId !== undefined && phoneKey(contact.waId) === key)
}

/**
 * Adds what `contacts` say about this person, matched by identifier, not by position, because there may be several. A
 * sender without identifiers gets the only contact.
 */
export const complete = (sender: CustomerIds, contacts: Contacts): CustomerIds => {
  const { list } = contacts
  if (list.length === 0) return sender
  if (!isKnown(sender)) return list.length === 1 ? put({}, list[0] as CustomerIds) : sender
  const { waId, bsuid } = sender
  const match = findContact(contacts, sender) ?? inAnotherSpelling(waId, contacts)
  return match ? put({ ...match }, { waId, bsuid }) : sender
}
