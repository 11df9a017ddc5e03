import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { phoneKey } from './phone.ts'
import { exactDigits, linkedNumber, plainDigits, withoutFrame } from './phone-text.ts'

/**
 * Reads numbers the same on both sides. Its library weighs more than the rest of a page, so the browser may load it only
 * with what opens later, such as a dialog.
 */

/** WhatsApp keeps the 1 that Mexico dropped; the library does not know it any more. */
const dialable = (digits: string): string => phoneKey(digits).replace(/^521(?=\d{10}$)/, '52')

/** Typed without its 9 and its 15 an Argentine mobile reads like a fixed line; WhatsApp is on mobiles. */
const mobile = (digits: string): string => (digits.startsWith('54') ? phoneKey(digits) : digits)

/** No number, with all that is written around it, is longer. */
const numberMaxChars = 200

export interface FoundPhone {
  /** Digits with the country's code. */
  readonly phone: string
  /** It is a number of `country`, or says its country: not only digits that happen to begin like one of another. */
  readonly isCertain: boolean
}

/** A number in any spelling; without its country it is of `country`. Undefined: it is none. */
export function findPhone(typed: string, country: CountryCode): FoundPhone | undefined {
  if (typed.length > numberMaxChars) return undefined
  const plain = withoutFrame(plainDigits(typed))
  const exact = exactDigits(plain)
  if (exact === null) return undefined
  const linked = linkedNumber(plain)
  const text = exact ?? (linked === undefined || /^\D|^0/.test(linked) ? (linked ?? plain) : `+${linked}`)
  if (!/\d/.test(text) || /[\p{L}@]/u.test(text)) return undefined
  const digits = text.replace(/\D+/g, '')
  const own = parsePhoneNumberFromString(text, country)
  if (own?.isValid()) return { phone: mobile(own.number.slice(1)), isCertain: true }
  const isSaid = text.startsWith('+') || digits.startsWith('00')
  const foreign = parsePhoneNumberFromString(`+${dialable(digits.replace(/^00/, ''))}`)
  if (foreign?.isValid()) return { phone: mobile(foreign.number.slice(1)), isCertain: isSaid }
  // Unassigned, as Meta's own test numbers are (+1 555 …), but written with their country.
  return text.startsWith('+') && foreign?.isPossible() ? { phone: foreign.number.slice(1), isCertain: true } : undefined
}

/** Digits of a number in any spelling; without its country it is of `country`. Undefined: it is none. */
export const readPhone = (typed: string, country: CountryCode): string | undefined => findPhone(typed, country)?.phone

/** How a number that was read is written for people: `+54 9 11 4444 5555`. */
export const showPhone = (phone: string): string =>
  parsePhoneNumberFromString(`+${dialable(phone)}`)?.formatInternational() ?? `+${phone}`

/** A spreadsheet rounded it: some of its digits are lost. */
export const isRounded = (cell: string): boolean => exactDigits(withoutFrame(plainDigits(cell.slice(0, 100)))) === null
