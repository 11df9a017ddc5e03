import type { Language } from '#shared/kernel/language.ts'

/**
 * What spreadsheets would take for a formula, also behind blanks and signs nobody sees, and in the full-width forms that
 * some of them read as the others: somebody's name must not run in a colleague's machine.
 */
const formula =
  /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]|^[\t\r]/u

/** A cell of a report: plain text to every spreadsheet. */
export const csvCell = (value: string): string => {
  const text = formula.test(value) ? `'${value}` : value
  return /["\r\n;,\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets part cells by the list separator of their country. */
const separators: Readonly<Record<Language, string>> = { es: ';', en: ',' }
/** Cells as a line, ended. */
export const csvLine = (cells: readonly string[], language: Language) =>
  `${cells.map(csvCell).join(separators[language])}\r\n`
