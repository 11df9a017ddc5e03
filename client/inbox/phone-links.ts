import { digitsOf, isPhoneDigits, phoneKey } from '#shared/phone.ts'

/** Digits with what people put between them; neither part of an amount, a date, an hour or a word, nor with more of it. */
export const phonePattern = /(?<![\w.,:;/$€#=+-])(?:\+ ?)?(?:\(\d{1,5}\)[ -]?)?\d[\d ()-]{5,19}\d(?![\w%]|[.,:/]\d)/g

/** Anything long enough to be one: most texts have none, and are looked at no further. */
const anyDigits = /\d[\d ()-]{5,}\d/

export const mayHavePhone = (text: string): boolean => anyDigits.test(text)

const date = /\b\d{1,2}-\d{1,2}-(?:19|20)\d\d\b|\b(?:19|20)\d\d-\d{1,2}-\d{1,2}\b/
const mostGroups = 5
/** Without its country it has so many digits, of which four stand together: others are amounts as often as numbers. */
const fewestDigits = 10
const mostDigits = 13

const isNational = (said: string): boolean => {
  const groups = said.match(/\d+/g) ?? []
  const digits = groups.join('').length
  if (digits < fewestDigits || digits > mostDigits || groups.length > mostGroups || date.test(said)) return false
  // A number with its country begins with it; three amounts in a row do not.
  if (digits > fewestDigits + 1 && groups.length > 1 && (groups[0] ?? '').length > 3) return false
  return groups.some(group => group.length >= 4) && groups.every(group => group.length > 1 || group === '9')
}

/** What was found by the pattern as it may be dialled; undefined: it is no number of a telephone. */
export const dialledAs = (said: string): string | undefined => {
  const digits = digitsOf(said)
  if (said.startsWith('+')) return isPhoneDigits(digits) && digits.length > 7 ? `+${digits}` : undefined
  return isNational(said) ? digits : undefined
}

/** One, two or three digits before a number tell its country. */
const callingCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/**
 * Under which number WhatsApp knows what was dialled, in the spelling of our conversations. Without its country it is of
 * that of whom it was said to: `beside`, digits of theirs; of nobody's where they show none.
 */
export const numberMeant = (dialled: string, beside: string): string => {
  const digits = digitsOf(dialled)
  const code = isPhoneDigits(beside) ? callingCode.exec(beside)?.[0] : undefined
  if (dialled.startsWith('+') || code === undefined) return phoneKey(digits)
  const hasCode = digits.startsWith(code) && digits.length > fewestDigits
  return phoneKey(hasCode ? digits : code + digits.replace(/^0+/, ''))
}
