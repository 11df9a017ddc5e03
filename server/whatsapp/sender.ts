import { isBusinessScopedId, phoneKey } from '#shared/phone.ts'
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

export type Contacts = readonly Sender[]

export const contactsOf = (value: Json): Contacts =>
  asList(value.contacts).flatMap(entry => {
    const contact = contactOf(entry)
    return contact ? [contact] : []
  })

export const isKnown = (sender: Sender): boolean =>
  sender.waId !== undefined || sender.bsuid !== undefined || sender.username !== undefined

/** Comparing spellings costs more than comparing text; Meta's own posts hold one contact per change. */
const maxSpellings = 20
const inAnotherSpelling = (waId: string | undefined, contacts: Contacts): Sender | undefined => {
  if (waId === undefined || contacts.length > maxSpellings) return undefined
  const key = phoneKey(waId)
  return contacts.find(contact => contact.waId !== undefined && phoneKey(contact.waId) === key)
}

/**
 * Adds what the payload's `contacts` say about this person: matched by identifier, never by place, because a post
 * may hold several. A sender without any identifier takes the only contact there is.
 */
export const complete = (sender: Sender, contacts: Contacts): Sender => {
  if (contacts.length === 0) return sender
  if (!isKnown(sender)) return contacts.length === 1 ? put({}, contacts[0] as Sender) : sender
  const { waId, bsuid } = sender
  const match =
    contacts.find(
      contact => (waId !== undefined && contact.waId === waId) || (bsuid !== undefined && contact.bsuid === bsuid),
    ) ?? inAnotherSpelling(waId, contacts)
  return match ? put({ ...match }, { waId, bsuid }) : sender
}
