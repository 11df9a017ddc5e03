import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { phoneKey } from './phone.ts'
import { exactDigits, linkedNumber, plainDigits, withoutFrame } from './phone-text.ts'

/**
 * Reads phone numbers on both sides. Its library is larger than the rest of a page, so the browser loads it only with
 * parts that open later, such as a dialog.
 */

/** WhatsApp keeps the 1 that Mexico dropped and the library no longer accepts. */
const dialable = (digits: string): string => phoneKey(digits).replace(/^521(?=\d{10}$)/, '52')

/** An Argentine mobile typed without 9 and 15 looks like a fixed line; WhatsApp is on mobiles. */
const mobile = (digits: string): string => (digits.startsWith('54') ? phoneKey(digits) : digits)

/** Longer than any number with its surroundings. */
const numberMaxChars = 200

export interface FoundPhone {
  /** Digits with the country code. */
  readonly phone: string
  /** It belongs to `country`, or contains its country code: not only digits that happen to fit another country. */
  readonly isCertain: boolean
}

/** Reads a number in any spelling; without a country code it is read as of `country`. Undefined: not a number. */
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
  // Not assigned, like Meta's test numbers (+1 555 …), but with a country code.
  return text.startsWith('+') && foreign?.isPossible() ? { phone: foreign.number.slice(1), isCertain: true } : undefined
}

/** Digits of a number in any spelling; without a country code it is read as of `country`. Undefined: not a number. */
export const readPhone = (typed: string, country: CountryCode): string | undefined => findPhone(typed, country)?.phone

/** International format: `+54 9 11 4444 5555`. */
export const showPhone = (phone: string): string =>
  parsePhoneNumberFromString(`+${dialable(phone)}`)?.formatInternational() ?? `+${phone}`

/** True if a spreadsheet rounded the number, so that digits are lost. */
export const isRounded = (cell: string): boolean => exactDigits(withoutFrame(plainDigits(cell.slice(0, 100)))) === null

/** ISO 3166-1 alpha-2 code of the country of a number in digits. Undefined: it belongs to none. */
export const countryOfNumber = (digits: string): CountryCode | undefined =>
  parsePhoneNumberFromString(`+${digits}`)?.country
