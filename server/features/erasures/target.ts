import { displayPhone } from '#server/platform/text/phone-display.ts'
import { digitsOf, otherSpelling, phoneKey } from '#shared/kernel/phone.ts'

/** The person to erase, by what identifies rows after the contact's own are deleted. */
export interface Target {
  readonly contactId: string
  readonly conversationIds: readonly string[]
  /** Digits, in every spelling seen or equivalent. */
  readonly phones: readonly string[]
  readonly userIds: readonly string[]
}

/** A shorter number would occur inside too many others. */
const fewestDigits = 8

export const spellingsOf = (phones: readonly string[]): string[] => [
  ...new Set(phones.flatMap(phone => [phone, phoneKey(phone), otherSpelling(phone) ?? phone])),
]

/** Texts that identify this person and nobody else. */
export const tracesOf = ({ contactId, conversationIds, phones, userIds }: Target): string[] => [
  contactId,
  ...conversationIds,
  ...phones.flatMap(phone =>
    phone.length < fewestDigits ? [`"${phone}"`, `+${phone}`] : [phone, displayPhone(phone)].filter(Boolean),
  ),
  ...userIds,
]

/** Compares a number as somebody typed it. */
export const isTheirs = ({ phones }: Pick<Target, 'phones'>, typed: string): boolean => {
  const digits = digitsOf(typed)
  return digits !== '' && (phones.includes(digits) || phones.includes(phoneKey(digits)))
}
