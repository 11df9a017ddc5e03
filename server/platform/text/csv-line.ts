import type { Language } from '#shared/kernel/language.ts'

/**
 * Matches what a spreadsheet would run as a formula, also after blanks and invisible characters and in full-width forms. A
 * customer's name must not run on a colleague's machine.
 */
const formula =
  /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]|^[\t\r]/u

/** A cell that every spreadsheet reads as plain text. */
export const csvCell = (value: string): string => {
  const text = formula.test(value) ? `'${value}` : value
  return /["\r\n;,\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets use the list separator of their country. */
const separators: Readonly<Record<Language, string>> = { es: ';', en: ',' }
/** A line of cells with its line ending. */
export const csvLine = (cells: readonly string[], language: Language) =>
  `${cells.map(csvCell).join(separators[language])}\r\n`
