import { isBusinessScopedId, phoneKey } from '#shared/kernel/phone.ts'
import { JsonList } from '../platform/text/json-parts.ts'
import type { Sender } from './inbound.ts'
import { asList, asObject, asText, cleanLine, type Json } from './scalars.ts'

/** Digits of a WhatsApp id; undefined for `""`, group ids and everything that is no number. */
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

/** With or without the leading `@`; Meta's own samples disagree. */
const usernameOf = (value: unknown): string | undefined => cleanLine(asText(value)?.replace(/^@+/, ''), 64)

const put = (sender: Sender, facts: Sender): Sender => {
  if (facts.waId !== undefined) sender.waId = facts.waId
  if (facts.bsuid !== undefined) sender.bsuid = facts.bsuid
  if (facts.username !== undefined) sender.username = facts.username
  if (facts.profileName !== undefined) sender.profileName = facts.profileName
  return sender
}

/**
 * Identifiers as Meta gives them: some payloads show a business-scoped id where a number belongs, and the id of
 * a parent portfolio stands in where there is no other.
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

/** What a payload says about people, with its place by identifier: a post may hold thousands of them. */
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

/** They are needed before the first message is read; Meta puts at most a thousand updates into one webhook. */
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

/** The first that bears either identifier. */
const findContact = ({ list, byWaId, byBsuid }: Contacts, { waId, bsuid }: Sender): Sender | undefined => {
  const places = [waId && byWaId.get(waId), bsuid && byBsuid.get(bsuid)].filter(place => typeof place === 'number')
  return list[Math.min(...places)]
}

export const isKnown = (sender: Sender): boolean =>
  sender.waId !== undefined || sender.bsuid !== undefined || sender.username !== undefined || sender.other !== undefined

/** Whoever cannot be told from what came: what they wrote is shown all the same. One by each spelling. */
export const unknownSender = (...given: readonly unknown[]): Sender => {
  const said = given.flatMap(one => cleanLine(asText(one), 100) ?? [])[0]
  return { other: `unknown ${said ?? ''}`.trim(), profileName: said ? `Desconocido ${said}` : 'Remitente desconocido' }
}

const ofGroup = 'group '

/** A group is talked to by itself, apart from each of its people. */
export const groupSender = (groupId: string): Sender => ({
  other: ofGroup + groupId,
  profileName: `Grupo ${groupId.slice(-6)}`,
})

export const isGroup = (sender: Sender): boolean => sender.other?.startsWith(ofGroup) === true

/** Comparing spellings costs more than comparing text; Meta's own posts hold one contact per change. */
const maxSpellings = 20
const inAnotherSpelling = (waId: string | undefined, contacts: Contacts): Sender | undefined => {
  if (waId === undefined || contacts.list.length > maxSpellings) return undefined
  const key = phoneKey(waId)
  return contacts.list.find(contact => contact.waId !== undefined && phoneKey(contact.waId) === key)
}

/**
 * Adds what the payload's `contacts` say about this person: matched by identifier, never by place, because a post
 * may hold several. A sender without any identifier takes the only contact there is.
 */
export const complete = (sender: Sender, contacts: Contacts): Sender => {
  const { list } = contacts
  if (list.length === 0) return sender
  if (!isKnown(sender)) return list.length === 1 ? put({}, list[0] as Sender) : sender
  const { waId, bsuid } = sender
  const match = findContact(contacts, sender) ?? inAnotherSpelling(waId, contacts)
  return match ? put({ ...match }, { waId, bsuid }) : sender
}
