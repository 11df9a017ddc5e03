import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { phoneKey } from '#shared/phone.ts'

export interface TypedPhone {
  /** With its country, as WhatsApp has it. */
  readonly digits: string
  /** In international format. */
  readonly shown: string
}

/** The library does not know the 1 that Mexico dropped and WhatsApp kept. */
const dialable = (digits: string): string => digits.replace(/^521(?=\d{10}$)/, '52')

const typedAs = (digits: string): TypedPhone => ({
  digits,
  shown: parsePhoneNumberFromString(`+${dialable(digits)}`)?.formatInternational() ?? `+${digits}`,
})

/**
 * The number somebody means: without its country it is one of `country`, as a local would dial it (`011 15 …` in
 * Argentina). Undefined: it is none. The library is large: only for what loads when it opens.
 */
export function readTypedPhone(typed: string, country: string): TypedPhone | undefined {
  const text = typed.trim()
  if (!/\d/.test(text) || /\p{L}|@/u.test(text)) return undefined
  const local = parsePhoneNumberFromString(text, country as CountryCode)
  if (local?.isValid()) return typedAs(phoneKey(local.number.slice(1)))
  const digits = text.replace(/\D+/g, '').replace(/^00/, '')
  const foreign = parsePhoneNumberFromString(`+${dialable(phoneKey(digits))}`)
  if (foreign?.isValid()) return typedAs(phoneKey(foreign.number.slice(1)))
  // Unassigned, as Meta's own test numbers are (+1 555 …), but written with their country.
  return /^(\+|00)/.test(text) && foreign?.isPossible() ? typedAs(foreign.number.slice(1)) : undefined
}
