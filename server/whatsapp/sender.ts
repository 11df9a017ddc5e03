import { isBusinessScopedId, phoneKey } from '#shared/kernel/phone.ts'
import { JsonList } from '../platform/text/json-parts.ts'
import type { Sender } from './inbound.ts'
import { asList, asObject, asText, cleanLine, type Json } from './scalars.ts'

/** Digits of a WhatsApp id; undefined for `""`, group ids and other texts. */
export const waIdOf = (value: unknown): string | undefined => {
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

const put = (sender: Sender, facts: Sender): Sender => {
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
export const senderFrom = (waId: unknown, bsuid?: unknown, parentBsuid?: unknown): Sender =>
  put({}, { waId: waIdOf(waId), bsuid: bsuidOf(bsuid) ?? bsuidOf(waId) ?? bsuidOf(parentBsuid) })

const contactOf = (entry: unknown): Sender | undefined => {
  const contact = asObject(entry)
  if (contact === undefined) return undefined
  const profile = asObject(contact.profile)
  const sender = senderFrom(contact.wa_id, contact.user_id, contact.parent_user_id)
  return put(sender, { username: usernameOf(profile?.username), profileName: cleanLine(profile?.name) })
}

/** The people in a payload, indexed by identifier because a webhook may contain thousands. */
export interface Contacts {
  readonly list: readonly Sender[]
  readonly byWaId: ReadonlyMap<string, number>
  readonly byBsuid: ReadonlyMap<string, number>
}

const indexBy = (list: readonly Sender[], id: 'waId' | 'bsuid'): Map<string, number> => {
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

export const contactsOf = (value: Json): Contacts => {
  const { contacts } = value
  const entries = contacts instanceof JsonList ? contacts.within(contactValues) : asList(contacts)
  const list: Sender[] = []
  for (const entry of entries) {
    const contact = contactOf(entry)
    if (contact) list.push(contact)
  }
  return { list, byWaId: indexBy(list, 'waId'), byBsuid: indexBy(list, 'bsuid') }
}

/** The first contact with either identifier. */
const findContact = ({ list, byWaId, byBsuid }: Contacts, { waId, bsuid }: Sender): Sender | undefined => {
  const places = [waId && byWaId.get(waId), bsuid && byBsuid.get(bsuid)].filter(place => typeof place === 'number')
  return list[Math.min(...places)]
}

export const isKnown = (sender: Sender): boolean =>
  sender.waId !== undefined || sender.bsuid !== undefined || sender.username !== undefined || sender.other !== undefined

/** A sender without identifiers. Their messages are shown in one chat for each spelling. */
export const unknownSender = (...given: readonly unknown[]): Sender => {
  const said = given.flatMap(one => cleanLine(asText(one), 100) ?? [])[0]
  return { other: `unknown ${said ?? ''}`.trim(), profileName: said ? `Desconocido ${said}` : 'Remitente desconocido' }
}

const ofGroup = 'group '

/** A group is a chat of its own, apart from its members. */
export const groupSender = (groupId: string): Sender => ({
  other: ofGroup + groupId,
  profileName: `Grupo ${groupId.slice(-6)}`,
})

export const isGroup = (sender: Sender): boolean => sender.other?.startsWith(ofGroup) === true

/** Comparing spellings costs more than comparing text. Meta's own webhooks have one contact per change. */
const maxSpellings = 20
const inAnotherSpelling = (waId: string | undefined, contacts: Contacts): Sender | undefined => {
  if (waId === undefined || contacts.list.length > maxSpellings) return undefined
  const key = phoneKey(waId)
  return contacts.list.find(contact => contact.waId !== undefined && phoneKey(contact.waId) === key)
}

/**
 * Adds what `contacts` say about this person, matched by identifier, not by position, because there may be several. A
 * sender without identifiers gets the only contact.
 */
export const complete = (sender: Sender, contacts: Contacts): Sender => {
  const { list } = contacts
  if (list.length === 0) return sender
  if (!isKnown(sender)) return list.length === 1 ? put({}, list[0] as Sender) : sender
  const { waId, bsuid } = sender
  const match = findContact(contacts, sender) ?? inAnotherSpelling(waId, contacts)
  return match ? put({ ...match }, { waId, bsuid }) : sender
}
