import { digitsOf, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'

const before = String.raw`(?<![\w.,:;/$€#=+-])`
const behind = String.raw`(?![\w%]|[.,:/]\d)`
/** As an amount, an address of a machine or a version is written as well: @see isDotted */
const dotted = String.raw`(?:\(\d{1,5}\)[ .-]?)?\d{1,5}(?:\.\d{1,5}){1,5}(?:-\d{4})?`
const withPlus = String.raw`\+ ?(?:\(\d{1,5}\)[ .-]?)?\d(?:[\d ()-]|\.(?=\d)){5,22}\d`
const spaced = String.raw`(?:\(\d{1,5}\)[ -]?)?\d[\d ()-]{5,19}\d`
/** Digits with what people put between them; neither part of an amount, a date, an hour or a word, nor with more of it. */
export const phonePattern = new RegExp(`${before}(?:${withPlus}|${dotted}|${spaced})${behind}`, 'g')

/** Anything long enough to be one: most texts have none, and are looked at no further. */
const anyDigits = /\d[\d ().-]{5,}\d/

export const mayHavePhone = (text: string): boolean => anyDigits.test(text)

const date = /\b\d{1,2}-\d{1,2}-(?:19|20)\d\d\b|\b(?:19|20)\d\d-\d{1,2}-\d{1,2}\b/
const mostGroups = 5
/** Without its country it has so many digits, of which four stand together: others are amounts as often as numbers. */
const fewestDigits = 10
const mostDigits = 13
/** So many where numbers have no more; with the country of whom they are said to beside them they are told by how they begin. */
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

/** With dots it is told by how it ends, in four digits behind others: amounts end in three of them, or in two. */
const isDotted = (said: string): boolean => {
  const digits = digitsOf(said).length
  return digits >= fewestDigits && digits <= mostDigits && dottedForm.test(said)
}
const dottedForm = /^(?:(?:\d{1,3}\.)?(?:9\.)?\d{2,4}\.|\(\d{2,5}\)[ .]?)\d{3,5}[.-]\d{4}$/

/** Thousands by their dots, of more than anybody writes. */
const grouped = /^\+ ?\d{1,3}(?:\.\d{3})+$/

const isNational = (said: string, code: string | undefined): boolean => {
  const groups = said.match(/\d+/g) ?? []
  const digits = groups.join('')
  if (digits.length > mostDigits || groups.length > mostGroups || date.test(said)) return false
  const isWhole = groups.every(group => group.length > 1 || group === '9')
  if (digits.length === localDigits) return isWhole && Boolean(code && localForms[code]?.test(digits))
  if (digits.length < fewestDigits) return false
  // A number with its country begins with it; three amounts in a row do not.
  if (digits.length > fewestDigits + 1 && groups.length > 1 && (groups[0] ?? '').length > 3) return false
  return isWhole && groups.some(group => group.length >= 4)
}

/**
 * What was found by the pattern as it may be dialled; undefined: it is no number of a telephone. `beside`: digits of whom
 * it was said to.
 */
export const dialledAs = (said: string, beside = ''): string | undefined => {
  const digits = digitsOf(said)
  if (said.startsWith('+')) {
    const isAmount = grouped.test(said) && digits.length < fewestDigits
    return isPhoneDigits(digits) && digits.length > 7 && !isAmount ? `+${digits}` : undefined
  }
  const isNumber = said.includes('.') ? isDotted(said) : isNational(said, codeOf(beside))
  return isNumber ? digits : undefined
}

/** One, two or three digits before a number tell its country. */
const callingCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

const codeOf = (phone: string): string | undefined => (isPhoneDigits(phone) ? callingCode.exec(phone)?.[0] : undefined)

/**
 * Under which number WhatsApp knows what was dialled, in the spelling of our conversations. Without its country it is of
 * that of whom it was said to: `beside`, digits of theirs; of nobody's where they show none.
 */
export const numberMeant = (dialled: string, beside: string): string => {
  const digits = digitsOf(dialled)
  const code = codeOf(beside)
  if (dialled.startsWith('+') || code === undefined) return phoneKey(digits)
  const hasCode = digits.startsWith(code) && digits.length > fewestDigits
  return phoneKey(hasCode ? digits : code + digits.replace(/^0+/, ''))
}
