/** A row of a file by the names of its columns. */
export interface CsvRow {
  /** As a spreadsheet counts it: the line of names is the first. */
  readonly row: number
  readonly values: Readonly<Record<string, string>>
  /** How many cells it has, those beyond the columns included. */
  readonly cells: number
  /** A quote in it never ends: whatever follows stands in its last cell. */
  readonly isUnclosed: boolean
}

/** A file's rows by the names of its columns. */
export interface CsvFile {
  /** Unlike each other, in their order; a doubled name has its number behind it. */
  readonly columns: readonly string[]
  /**
   * The rows below the names, made one by one as they are asked for; those without any text are left out. Undefined: many
   * were, and whoever is not alone gives way.
   */
  entries(): Generator<CsvRow | undefined>
}

/** More columns than any list of people has; what stands behind them is not read. */
const maxColumns = 200

const separators = [',', ';', '\t', '|'] as const

/** In so much of a file its line of names begins, and what parts its cells is seen. */
const headChars = 64 * 1024

/** Lines without any text that are skipped in one go: some tenths of a millisecond. */
const blankAtOnce = 1000

/** The separator there is most of outside quotes in the first line that says something. */
const separatorOf = (text: string): string => {
  const counts = new Map<string, number>()
  let quoted = false
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] as string
    if (char === '"') quoted = !quoted
    else if (!quoted && (char === '\n' || char === '\r') && counts.size) break
    else if (!quoted && (separators as readonly string[]).includes(char)) counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  let best: string = ','
  for (const one of separators) if ((counts.get(one) ?? 0) > (counts.get(best) ?? 0)) best = one
  return best
}

/**
 * Cells of each line, quotes over several lines included; a quote that never ends takes the rest.
 * @see RFC 4180
 */
function* readLines(text: string, separator: string): Generator<{ cells: string[]; isUnclosed: boolean }> {
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let from = 0
  const take = (to: number) => {
    if (to > from) cell += text.slice(from, to)
  }
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i]
    if (quoted) {
      if (char !== '"') continue
      take(i)
      from = i + 1
      if (text[i + 1] === '"') {
        cell += '"'
        i += 1
        from = i + 1
      } else quoted = false
    } else if (char === '"' && cell === '' && text.slice(from, i).trim() === '') {
      quoted = true
      from = i + 1
    } else if (char === separator || char === '\n' || char === '\r') {
      take(i)
      if (cells.length <= maxColumns) cells.push(cell)
      cell = ''
      if (char === '\r' && text[i + 1] === '\n') i += 1
      from = i + 1
      if (char === separator) continue
      yield { cells, isUnclosed: false }
      cells = []
    }
  }
  take(text.length)
  if (cell !== '' || cells.length) yield { cells: [...cells, cell], isUnclosed: quoted }
}

const isBlank = (cells: readonly string[]) => cells.every(cell => cell.trim() === '')

const uniqueNames = (names: readonly string[]): string[] => {
  const used = new Set<string>()
  return names.map((given, i) => {
    const name = given.trim() || String(i + 1)
    let unique = name
    for (let count = 2; used.has(unique); count += 1) unique = `${name} ${count}`
    used.add(unique)
    return unique
  })
}

/** Reads comma-separated values with a line of names: any usual separator, with or without a byte order mark. Pure. */
export function readCsv(text: string): CsvFile {
  const body = text.replace(/^\uFEFF/, '')
  const head = body.slice(0, headChars)
  const separator = separatorOf(head)
  let columns: string[] = []
  for (const { cells } of readLines(head, separator)) {
    if (isBlank(cells)) continue
    columns = uniqueNames(cells.slice(0, maxColumns))
    break
  }
  return {
    columns,
    *entries() {
      let isHead = true
      let row = 0
      let blank = 0
      for (const { cells, isUnclosed } of readLines(body, separator)) {
        row += 1
        if (isBlank(cells)) {
          blank += 1
          if (blank % blankAtOnce === 0) yield undefined
          continue
        }
        const values = Object.fromEntries(columns.map((name, i) => [name, (cells[i] ?? '').trim()]))
        if (!isHead) yield { row, values, cells: cells.length, isUnclosed }
        isHead = false
      }
    },
  }
}
