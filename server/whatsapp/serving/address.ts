import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { digitsOf, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'

/** Simulated numbers are in Argentina; a number without a country code gets Argentina's. */
const homeCountry = 'AR'

/** Mobile numbers in WhatsApp's own spelling, which numbering plans know only in part. */
const ownSpelling = /^(549\d{10}|521\d{10}|55\d{2}9\d{8})$/

const fullNumber = (text: string): string | undefined => {
  const digits = digitsOf(text)
  if (ownSpelling.test(phoneKey(digits))) return digits
  const abroad = parsePhoneNumberFromString(`+${digits}`)
  if (text.trim().startsWith('+')) return abroad?.isPossible() ? digits : undefined
  if (abroad?.isValid()) return digits
  const local = parsePhoneNumberFromString(digits, homeCountry)
  if (local?.isValid()) return digitsOf(local.number)
  if (abroad?.isPossible()) return digits
  return local?.isPossible() ? digitsOf(local.number) : undefined
}

/**
 * The WhatsApp id for any spelling of a number: Argentina with its 9, Mexico with its 1, Brazil with its ninth digit.
 * Undefined: not a number.
 * @see Meta, "Phone numbers": a missing country code is taken from the business number
 */
export function waIdOfSpelling(text: string): string | undefined {
  const waId = phoneKey(fullNumber(text) ?? '')
  return isPhoneDigits(waId) ? waId : undefined
}

/** Two letters, for business-scoped ids. */
export const bsuidCountry = (waId: string): string => parsePhoneNumberFromString(`+${waId}`)?.country ?? 'US'
