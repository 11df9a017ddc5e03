import { displayPhone } from '#server/platform/text/phone-display.ts'
import { digitsOf, otherSpelling, phoneKey } from '#shared/kernel/phone.ts'

/** Whom an erasure is about: what rows are recognized by once the contact's own are gone. */
export interface Target {
  readonly contactId: string
  readonly conversationIds: readonly string[]
  /** Digits, in every spelling that was seen or is the same line. */
  readonly phones: readonly string[]
  readonly userIds: readonly string[]
}

/** A shorter number stands in too many others. */
const fewestDigits = 8

export const spellingsOf = (phones: readonly string[]): string[] => [
  ...new Set(phones.flatMap(phone => [phone, phoneKey(phone), otherSpelling(phone) ?? phone])),
]

/** What is left of this person in texts: each names them and nobody else. */
export const tracesOf = ({ contactId, conversationIds, phones, userIds }: Target): string[] => [
  contactId,
  ...conversationIds,
  ...phones.flatMap(phone =>
    phone.length < fewestDigits ? [`"${phone}"`, `+${phone}`] : [phone, displayPhone(phone)].filter(Boolean),
  ),
  ...userIds,
]

/** Whether what somebody typed is this person's number. */
export const isTheirs = ({ phones }: Pick<Target, 'phones'>, typed: string): boolean => {
  const digits = digitsOf(typed)
  return digits !== '' && (phones.includes(digits) || phones.includes(phoneKey(digits)))
}
