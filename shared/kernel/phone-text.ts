/** Marks without a width that address books put around numbers, and every kind of blank. */
const invisible = /[\p{Cf}]+/gu
const blanks = /[\s\u00a0\u2000-\u200a\u202f\u3000]+/g
const dashes = /[\u2010-\u2015\u2212\ufe63\uff0d]/g

/** Digits of each script stand ten in a row from their zero. */
const digitValue = (char: string): string => {
  const code = char.codePointAt(0) as number
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/** With the digits of ASCII, whichever script they were written in, and plain blanks and dashes. */
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
 * A number as a spreadsheet writes large ones: `5.491155550101E+12`. Its digits where all of them are there; null where
 * some were rounded away; undefined: it is not written like that.
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

/** The number that an address is of: `tel:`, `wa.me/`, `…@c.us`. It has its country. */
export const linkedNumber = (text: string): string | undefined => {
  for (const link of links) {
    const found = link.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

/** What is not the number itself: the mark before a text that looks like a formula, `="…"`, `.0` of a decimal. */
export const withoutFrame = (text: string): string =>
  text
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'(?=[\d=+\-@(])/, '')
    .replace(/^(\+?\d{7,})[.,]0{1,6}$/, '$1')
    .trim()

const isDate = (text: string): boolean => /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{2,4})$/.test(text)

/** Whether a cell is written like one phone number; not whether such a number exists. */
export const hasPhoneShape = (cell: string): boolean => {
  if (cell.length > 200) return false
  const text = withoutFrame(plainDigits(cell))
  if (linkedNumber(text) !== undefined || exactDigits(text)) return true
  if (!/^[+(\d][\d\s().\-/+]*$/.test(text) || isDate(text)) return false
  const digits = text.replace(/\D+/g, '').length
  return digits >= 7 && digits <= 16
}
