/**
 * Phone numbers as WhatsApp spells them: digits only, country code first, no `+`. Meta returns other spellings
 * than people type for Argentina, Mexico and Brazil; all spellings of one line share one key.
 * @see Meta, "Phone numbers": wa_id may differ from the number that was sent to
 */

/** Digits of anything that looks like a number; empty when there are none. */
export const digitsOf = (text: string): string => text.replace(/\D+/g, '')

export const isPhoneDigits = (text: string): boolean => /^[1-9]\d{6,14}$/.test(text)

/** @see Meta, "Business-scoped user ids": `US.1349…`, of a parent portfolio `US.ENT.118…` */
export const isBusinessScopedId = (text: string): boolean => /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(text)

/** The id of a conversation. */
export const isConversationId = (text: string): boolean => /^[0-9a-z]{24}$/.test(text)

/** How a chat is addressed: a number in any spelling, with or without `+`, a business-scoped id, or a conversation's id. */
export const chatAddressForm = /^(\+?[0-9]{6,15}|[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}|[0-9a-z]{24})$/

/**
 * `549` + 10 digits, whatever was typed: with or without the 9, the trunk 0, the local 15 after the area code. No
 * table of areas is needed: an area has two digits only if it is `11`, and of the two places where a 15 could follow
 * three or four digits it can stand in one only. Lines that are not geographic (0800, 0810) stay as they are.
 */
const argentineKey = (digits: string): string => {
  if (/^549[123]\d{9}$/.test(digits)) return digits
  let national = digits.slice(2).replace(/^0/, '').replace(/^9/, '').replace(/^0/, '')
  if (national.length === 12) national = national.replace(/^(11|[23]\d{2,3})15(?=\d{6,8}$)/, '$1')
  return /^[123]\d{9}$/.test(national) ? `549${national}` : digits
}

/** `521` + 10 digits, with or without the mobile 1 and the old trunk prefixes. */
const mexicanKey = (digits: string): string => digits.replace(/^52(?:1|01|044|045)?([2-9]\d{9})$/, '521$1')

/** 13 digits with the ninth digit for mobiles, whose old subscriber numbers begin with 6 to 9. */
const brazilianKey = (digits: string): string =>
  digits.replace(/^550(?=[1-9]\d{9,10}$)/, '55').replace(/^(?<area>55[1-9]\d)(?<old>[6-9]\d{7})$/, '$<area>9$<old>')

/** The key under which all spellings of one line are one contact. Digits in, digits out. */
export const phoneKey = (digits: string): string => {
  if (digits.startsWith('54')) return argentineKey(digits)
  if (digits.startsWith('52')) return mexicanKey(digits)
  if (digits.startsWith('55')) return brazilianKey(digits)
  return digits
}

/**
 * The same line in the spelling Meta's test numbers expect (Argentina without the 9, error 131030) or an older
 * account still has (Mexico without the 1, Brazil without the ninth digit), and back; undefined where there is one only.
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
