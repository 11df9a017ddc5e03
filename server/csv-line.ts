import type { Language } from '#shared/language.ts'

/** What spreadsheets would take for a formula; somebody's name must not run in a colleague's machine. */
const formula = /^[=+\-@\t\r]/

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
