/**
 * Phone numbers in WhatsApp's form: digits only, country code first, no `+`. For Argentina, Mexico and Brazil Meta
 * returns other spellings than people type; all spellings of one line have the same key.
 * @see Meta, "Phone numbers": wa_id may differ from the number that was sent to
 */

/** All digits of a text; empty if there are none. */
export const digitsOf = (text: string): string => text.replace(/\D+/g, '')

export const isPhoneDigits = (text: string): boolean => /^[1-9]\d{6,14}$/.test(text)

/** @see Meta, "Business-scoped user ids": `US.1349…`, of a parent portfolio `US.ENT.118…` */
export const isBusinessScopedId = (text: string): boolean => /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(text)

export const isConversationId = (text: string): boolean => /^[0-9a-z]{24}$/.test(text)

/**
 * The address of a chat: a number in any spelling, with or without `+`, a business-scoped id, or a conversation's id.
 */
export const chatAddressForm = /^(\+?[0-9]{6,15}|[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}|[0-9a-z]{24})$/

/**
 * `549` and 10 digits, from any spelling: with or without the 9, the trunk 0, or the local 15 after the area code. No
 * table of areas is needed: only area `11` has two digits, and of the two possible places of a 15 after three or four
 * digits only one fits. Non-geographic lines (0800, 0810) stay unchanged.
 */
const argentineKey = (digits: string): string => {
  if (/^549[123]\d{9}$/.test(digits)) return digits
  let national = digits.slice(2).replace(/^0/, '').replace(/^9/, '').replace(/^0/, '')
  if (national.length === 12) national = national.replace(/^(11|[23]\d{2,3})15(?=\d{6,8}$)/, '$1')
  return /^[123]\d{9}$/.test(national) ? `549${national}` : digits
}

/** `521` and 10 digits, with or without the mobile 1 and the old trunk prefixes. */
const mexicanKey = (digits: string): string => digits.replace(/^52(?:1|01|044|045)?([2-9]\d{9})$/, '521$1')

/** 13 digits, with the ninth digit for mobiles, whose old subscriber numbers begin with 6 to 9. */
const brazilianKey = (digits: string): string =>
  digits.replace(/^550(?=[1-9]\d{9,10}$)/, '55').replace(/^(?<area>55[1-9]\d)(?<old>[6-9]\d{7})$/, '$<area>9$<old>')

/** The key by which all spellings of one line belong to one contact. Digits in, digits out. */
export const phoneKey = (digits: string): string => {
  if (digits.startsWith('54')) return argentineKey(digits)
  if (digits.startsWith('52')) return mexicanKey(digits)
  if (digits.startsWith('55')) return brazilianKey(digits)
  return digits
}

/**
 * The same line in the spelling that Meta's test numbers expect (Argentina without the 9, error 131030) or an older
 * account has (Mexico without the 1, Brazil without the ninth digit), and back; undefined: there is only one spelling.
 */
export const otherSpelling = (digits: string): string | undefined => {
  if (/^549[123]\d{9}$/.test(digits)) return `54${digits.slice(3)}`
  if (/^54[123]\d{9}$/.test(digits)) return `549${digits.slice(2)}`
  if (/^521[2-9]\d{9}$/.test(digits)) return `52${digits.slice(3)}`
  if (/^52[2-9]\d{9}$/.test(digits)) return `521${digits.slice(2)}`
  if (/^55[1-9]\d9[6-9]\d{7}$/.test(digits)) return digits.slice(0, 4) + digits.slice(5)
  if (/^55[1-9]\d[6-9]\d{7}$/.test(digits)) return `${digits.slice(0, 4)}9${digits.slice(4)}`
  return undefined
}
