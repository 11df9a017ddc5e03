/** Zero-width characters that address books insert, and every kind of blank. */
const invisible = /[\p{Cf}]+/gu
const blanks = /[\s\u00a0\u2000-\u200a\u202f\u3000]+/g
const dashes = /[\u2010-\u2015\u2212\ufe63\uff0d]/g

/** The value of a digit of any script: each has its ten digits in a row from zero. */
const digitValue = (char: string): string => {
  const code = char.codePointAt(0) as number
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/** Converts digits of any script to ASCII, and blanks and dashes to plain ones. */
export const plainDigits = (text: string): string =>
  /^[\u0020-\u007e]*$/.test(text)
    ? text.trim()
    : text
        .normalize('NFKC')
        .replace(invisible, '')
        .replace(blanks, ' ')
        .replace(dashes, '-')
        .replace(/(?![0-9])\p{Nd}/gu, digitValue)
        .trim()

const scientific = /^(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i

/**
 * A number in a spreadsheet's scientific notation, such as `5.491155550101E+12`. Returns its digits if none is lost;
 * null: rounded; undefined: not scientific notation.
 */
export const exactDigits = (text: string): string | null | undefined => {
  const found = scientific.exec(text.trim())
  if (!found) return undefined
  const [, first = '', rest = '', power = ''] = found
  return rest.length === Number(power) ? first + rest : null
}

const links: readonly RegExp[] = [
  /^tel:\s*([^;?]*)/i,
  /^(?:https?:\/\/)?(?:www\.)?wa\.me\/\+?(\d+)/i,
  /^(?:https?:\/\/(?:api|web|www)\.whatsapp\.com|whatsapp:\/)\/?send\/?\?(?:[^#]*&)?phone=(?:\+|%2b)?(\d+)/i,
  /^(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/i,
]

/** The number in an address such as `tel:`, `wa.me/` or `…@c.us`, with its country code. */
export const linkedNumber = (text: string): string | undefined => {
  for (const link of links) {
    const found = link.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Removes what is not part of the number: the apostrophe before a text that looks like a formula, `="…"`, and a
 * decimal's `.0`.
 */
export const withoutFrame = (text: string): string =>
  text
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'(?=[\d=+\-@(])/, '')
    .replace(/^(\+?\d{7,})[.,]0{1,6}$/, '$1')
    .trim()

const isDate = (text: string): boolean => /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{2,4})$/.test(text)

/** True if the cell looks like one phone number. The number need not exist. */
export const hasPhoneShape = (cell: string): boolean => {
  if (cell.length > 200) return false
  const text = withoutFrame(plainDigits(cell))
  if (linkedNumber(text) !== undefined || exactDigits(text)) return true
  if (!/^[+(\d][\d\s().\-/+]*$/.test(text) || isDate(text)) return false
  const digits = text.replace(/\D+/g, '').length
  return digits >= 7 && digits <= 16
}
