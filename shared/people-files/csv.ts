import { findSeparator, hasHeaderRow } from './csv-head.ts'
import { headChars, isBlank, readLines } from './csv-lines.ts'

/** A row of a file of people, by the names of its columns. */
export interface CsvRow {
  /** As a spreadsheet counts it: the first line is 1. */
  readonly row: number
  readonly values: Readonly<Record<string, string>>
  /** How many cells it has, those beyond the columns included. */
  readonly cells: number
  /** A quote in it never ends: all that follows stands in its last cell. */
  readonly isUnclosed: boolean
}

export interface CsvFile {
  /** Unlike each other, in their order. A doubled name has its number behind it; without a header they are A, B, C … */
  readonly columns: readonly string[]
  readonly hasHeader: boolean
  /** The rows with any text, made one by one as they are asked for. Undefined: much was read; give way here. */
  entries(): Generator<CsvRow | undefined>
}

/** More columns than any list of people has; what stands behind them is not read. */
const maxColumns = 200

/** A longer name is cut: each refused row says the name of its column. */
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

/** As spreadsheets name columns: A to Z, AA … */
const letterOf = (place: number): string =>
  (place >= 26 ? letterOf(Math.floor(place / 26) - 1) : '') + String.fromCharCode(65 + (place % 26))

/**
 * Reads comma-separated values: any usual separator, with or without a byte order mark, `sep=;` and a header.
 * @param given whether the first line has the names of the columns; unless said, its cells tell
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
