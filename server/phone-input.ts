import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { fold } from '#shared/fold.ts'
import { phoneKey } from '#shared/phone.ts'

/** WhatsApp keeps the 1 that Mexico dropped; the library does not know it any more. */
const dialable = (digits: string): string => phoneKey(digits).replace(/^521(?=\d{10}$)/, '52')

/** Typed without its 9 and its 15 an Argentine mobile reads like a fixed line; WhatsApp is on mobiles. */
const mobile = (digits: string): string => (digits.startsWith('54') ? phoneKey(digits) : digits)

/** Digits of a number in any spelling; without its country it is of `country`. Undefined: it is none. */
export function readPhone(typed: string, country: CountryCode): string | undefined {
  const text = typed.trim()
  if (!/\d/.test(text) || /[a-z@]/i.test(text)) return undefined
  const digits = text.replace(/\D+/g, '')
  const own = parsePhoneNumberFromString(text, country)
  if (own?.isValid()) return mobile(own.number.slice(1))
  const foreign = parsePhoneNumberFromString(`+${dialable(digits.replace(/^00/, ''))}`)
  if (foreign?.isValid()) return mobile(foreign.number.slice(1))
  // Unassigned, as Meta's own test numbers are (+1 555 …), but written with their country.
  return text.startsWith('+') && foreign?.isPossible() ? foreign.number.slice(1) : undefined
}

/** What was pasted, number by number: one a line, or parted by commas, semicolons or tabs. */
export function* splitNumbers(text: string): Generator<string> {
  for (const match of text.matchAll(/[^\n\r,;\t]+/g)) {
    const part = match[0].trim()
    if (part) yield part
  }
}

const names = ['telefono', 'phone', 'celular', 'numero', 'number', 'whatsapp', 'tel', 'movil', 'mobile', 'cel']

/** The column that is called like a number: exactly so first, else one with the word in it. */
export function findPhoneColumn(columns: readonly string[]): string | undefined {
  const folded = columns.map(column => fold(column).trim())
  for (const name of names) {
    const found = folded.indexOf(name)
    if (found >= 0) return columns[found]
  }
  return columns.find((_, i) => (folded[i] ?? '').split(/[^a-z]+/).some(word => names.includes(word)))
}
