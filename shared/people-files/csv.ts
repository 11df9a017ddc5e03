import { findSeparator, hasHeaderRow } from './csv-head.ts'
import { headChars, isBlank, readLines } from './csv-lines.ts'

/** A row, by column name. */
export interface CsvRow {
  /** The line as spreadsheets count: the first is 1. */
  readonly row: number
  readonly values: Readonly<Record<string, string>>
  /** Number of cells, including those beyond the columns. */
  readonly cells: number
  /** It has an unclosed quote, so its last cell contains the rest of the file. */
  readonly isUnclosed: boolean
}

export interface CsvFile {
  /** Distinct, in order. A duplicate name gets a number; without a header they are A, B, C … */
  readonly columns: readonly string[]
  readonly hasHeader: boolean
  /** Non-empty rows, parsed on demand. Undefined: the caller should yield. */
  entries(): Generator<CsvRow | undefined>
}

/** More than any list of people has. Further columns are ignored. */
const maxColumns = 200

/** Longer names are cut, because each refused row repeats the name. */
const columnNameMaxChars = 200

const uniqueNames = (names: readonly string[]): string[] => {
  const used = new Set<string>()
  return names.map((given, i) => {
    const name = given.trim().slice(0, columnNameMaxChars).toWellFormed() || String(i + 1)
    let unique = name
    for (let count = 2; used.has(unique); count += 1) unique = `${name} ${count}`
    used.add(unique)
    return unique
  })
}

/** Spreadsheet names: A to Z, AA … */
const letterOf = (place: number): string =>
  (place >= 26 ? letterOf(Math.floor(place / 26) - 1) : '') + String.fromCharCode(65 + (place % 26))

/**
 * Reads comma-separated values: any usual separator, optional byte order mark, `sep=;` and header. @param given whether
 * the first line has column names; default: detected
 */
export function readCsv(text: string, given: { hasHeader?: boolean | undefined } = {}): CsvFile {
  const body = text.replace(/^\uFEFF/, '')
  const { separator, from } = findSeparator(body)
  const head: (readonly string[])[] = []
  for (const line of readLines(body.slice(0, headChars), { separator, from, maxColumns })) {
    if (!line || isBlank(line.cells)) continue
    head.push(line.cells.slice(0, maxColumns))
    if (head.length === 20) break
  }
  const [first = []] = head
  const hasHeader = given.hasHeader ?? hasHeaderRow(first)
  const widest = Math.max(first.length, ...head.map(cells => cells.length))
  const columns = hasHeader ? uniqueNames(first) : Array.from({ length: widest }, (_, i) => letterOf(i))
  return {
    columns,
    hasHeader,
    *entries() {
      let isHead = hasHeader
      let row = 0
      for (const line of readLines(body, { separator, from, maxColumns })) {
        if (!line) {
          yield undefined
          continue
        }
        row += 1
        const { cells, isUnclosed } = line
        if (isBlank(cells)) continue
        const values = Object.fromEntries(columns.map((name, i) => [name, (cells[i] ?? '').trim()]))
        if (!isHead) yield { row, values, cells: cells.length, isUnclosed }
        isHead = false
      }
    },
  }
}
