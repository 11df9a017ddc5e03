import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { digitsOf, isBusinessScopedId, phoneKey } from '#shared/kernel/phone.ts'

/**
 * Formats numbers on the server, because the library is larger than the rest of a page. Nothing that the browser loads
 * first may import this file.
 */

/** Corrects numbers to how they are dialled today: Mexico dropped the 1 in 2019, Brazil added a ninth digit. */
const dialable = (digits: string): string => {
  const key = phoneKey(digits)
  if (/^521\d{10}$/.test(key)) return `52${key.slice(3)}`
  return key.startsWith('55') ? key : digits
}

const format = (phone: string): string => {
  if (isBusinessScopedId(phone)) return ''
  const digits = digitsOf(phone)
  const international = parsePhoneNumberFromString(`+${dialable(digits)}`)
  if (international?.isValid()) return international.formatInternational()
  const national = parsePhoneNumberFromString(digits, 'AR')
  if (national?.isValid()) return national.formatInternational()
  // Not assigned, like Meta's test numbers (+1 555 …), but of the right length.
  return international?.isPossible() ? international.formatInternational() : ''
}

/**
 * Least recently used cache: formatting a number costs more than storing its message. It holds the customers of a busy day
 * in about two megabytes.
 */
const maxKept = 20_000
const kept = new Map<string, string>()

/**
 * A number in international format: `+54 9 11 5555 1234`. A number without its country is read as Argentine. Empty
 * when there is nothing to show: a business-scoped id, too few digits.
 */
export function displayPhone(digits: string): string {
  const known = kept.get(digits)
  if (known !== undefined) {
    kept.delete(digits)
    kept.set(digits, known)
    return known
  }
  const shown = format(digits)
  kept.set(digits, shown)
  if (kept.size > maxKept) kept.delete(kept.keys().next().value as string)
  return shown
}
