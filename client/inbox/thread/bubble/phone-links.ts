import { digitsOf, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'

const before = String.raw`(?<![\w.,:;/$€#=+-])`
const behind = String.raw`(?![\w%]|[.,:/]\d)`
/** Amounts, IP addresses and versions look alike. @see isDotted */
const dotted = String.raw`(?:\(\d{1,5}\)[ .-]?)?\d{1,5}(?:\.\d{1,5}){1,5}(?:-\d{4})?`
const withPlus = String.raw`\+ ?(?:\(\d{1,5}\)[ .-]?)?\d(?:[\d ()-]|\.(?=\d)){5,22}\d`
const spaced = String.raw`(?:\(\d{1,5}\)[ -]?)?\d[\d ()-]{5,19}\d`
/** Digits with usual separators, not part of an amount, date, time or word. */
export const phonePattern = new RegExp(`${before}(?:${withPlus}|${dotted}|${spaced})${behind}`, 'g')

/** A quick test: most texts contain nothing like it. */
const anyDigits = /\d[\d ().-]{5,}\d/

export const mayHavePhone = (text: string): boolean => anyDigits.test(text)

const date = /\b\d{1,2}-\d{1,2}-(?:19|20)\d\d\b|\b(?:19|20)\d\d-\d{1,2}-\d{1,2}\b/
const maxGroups = 5
/** Minimum digits without a country code, four of them adjacent. Shorter ones are as often amounts. */
const fewestDigits = 10
const maxDigits = 13
/** Digits of countries with shorter numbers; recognized by their beginning if the customer is from there. */
const localDigits = 9
const localForms: Readonly<Record<string, RegExp>> = {
  34: /^[6-9]/,
  51: /^9/,
  56: /^[29]/,
  351: /^[29]/,
  593: /^9/,
  595: /^9/,
  598: /^09/,
}

/** Dotted numbers end in four digits; amounts end in three or two. */
const isDotted = (said: string): boolean => {
  const digits = digitsOf(said).length
  return digits >= fewestDigits && digits <= maxDigits && dottedForm.test(said)
}
const dottedForm = /^(?:(?:\d{1,3}\.)?(?:9\.)?\d{2,4}\.|\(\d{2,5}\)[ .]?)\d{3,5}[.-]\d{4}$/

/** A dotted number with more thousands groups than any amount. */
const grouped = /^\+ ?\d{1,3}(?:\.\d{3})+$/

const isNational = (said: string, code: string | undefined): boolean => {
  const groups = said.match(/\d+/g) ?? []
  const digits = groups.join('')
  if (digits.length > maxDigits || groups.length > maxGroups || date.test(said)) return false
  const isWhole = groups.every(group => group.length > 1 || group === '9')
  if (digits.length === localDigits) return isWhole && Boolean(code && localForms[code]?.test(digits))
  if (digits.length < fewestDigits) return false
  // A number begins with its country code; three amounts in a row do not.
  if (digits.length > fewestDigits + 1 && groups.length > 1 && (groups[0] ?? '').length > 3) return false
  return isWhole && groups.some(group => group.length >= 4)
}

/** A match of the pattern in dialable form. Undefined: no phone number. `beside`: digits of the customer. */
export const dialledAs = (said: string, beside = ''): string | undefined => {
  const digits = digitsOf(said)
  if (said.startsWith('+')) {
    const isAmount = grouped.test(said) && digits.length < fewestDigits
    return isPhoneDigits(digits) && digits.length > 7 && !isAmount ? `+${digits}` : undefined
  }
  const isNumber = said.includes('.') ? isDotted(said) : isNational(said, codeOf(beside))
  return isNumber ? digits : undefined
}

/** The one to three digits of a country code. */
const callingCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

const codeOf = (phone: string): string | undefined => (isPhoneDigits(phone) ? callingCode.exec(phone)?.[0] : undefined)

/**
 * WhatsApp's spelling of a dialable number. Without a country code, that of `beside`, the customer's digits, is used,
 * if they show any.
 */
export const numberMeant = (dialled: string, beside: string): string => {
  const digits = digitsOf(dialled)
  const code = codeOf(beside)
  if (dialled.startsWith('+') || code === undefined) return phoneKey(digits)
  const hasCode = digits.startsWith(code) && digits.length > fewestDigits
  return phoneKey(hasCode ? digits : code + digits.replace(/^0+/, ''))
}
