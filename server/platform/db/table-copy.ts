import { createHash } from 'node:crypto'
import { withoutNul } from '#server/platform/text/good-text.ts'

/** Types that both engines have. */
export type ColumnType = 'text' | 'integer' | 'real' | 'blob'
export type Cell = string | number | Buffer | null
export type Cells = readonly Cell[]

export interface Table {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[]
  /** Positions of the primary key's columns in `columns`, in key order. */
  readonly key: readonly number[]
}

/** Reads whole tables as of one point in time. */
export interface TableReader {
  count(table: Table): Promise<number>
  /** Rows in key order after a key, in batches of some thousand rows or some megabytes. */
  read(table: Table, after: Cells | undefined): AsyncIterable<readonly Cells[]>
  /** The last number of each table with a sequence, even if its row was deleted. */
  lastNumbers(): Promise<ReadonlyMap<string, number>>
}

export interface Progress {
  /** Key of the last copied row; undefined: none. */
  readonly after: Cells | undefined
  readonly rows: number
  readonly isDone: boolean
}

/** Writes whole tables; rows and progress share a commit. */
export interface TableWriter {
  progress(): Promise<ReadonlyMap<string, Progress>>
  /** `isFirst`: deletes rows that migrations inserted. */
  write(table: Table, rows: readonly Cells[], progress: Progress, options: { isFirst: boolean }): Promise<void>
  setLastNumbers(numbers: ReadonlyMap<string, number>): Promise<void>
}

export const sizeOf = (row: Cells): number => {
  let size = 0
  for (const cell of row)
    size += typeof cell === 'object' ? (cell?.length ?? 0) : typeof cell === 'string' ? cell.length : 8
  return size
}

/** Called after each written batch. */
export type OnProgress = (table: string, rows: number, total: number) => void

async function copyTable(
  table: Table,
  from: TableReader,
  to: TableWriter,
  known: Progress | undefined,
  onProgress: OnProgress,
): Promise<void> {
  const total = await from.count(table)
  let { after, rows: count } = known ?? { after: undefined, rows: 0 }
  let isFirst = !known
  // Reads the next rows while the last ones are written.
  let writing: Promise<void> = Promise.resolve()
  for await (const rows of from.read(table, after)) {
    await writing
    const last = rows.at(-1) as Cells
    after = table.key.map(i => last[i] as Cell)
    count += rows.length
    const written = count
    writing = to
      .write(table, rows, { after, rows: written, isDone: false }, { isFirst })
      .then(() => onProgress(table.name, written, total))
    // The error is thrown where it is awaited.
    writing.catch(() => undefined)
    isFirst = false
  }
  await writing
  await to.write(table, [], { after, rows: count, isDone: true }, { isFirst })
}

/** Copies what is missing, table by table, referenced tables first. */
export async function copyTables(
  tables: readonly Table[],
  from: TableReader,
  to: TableWriter,
  onProgress: OnProgress,
): Promise<void> {
  const known = await to.progress()
  for (const table of tables) {
    const progress = known.get(table.name)
    if (!progress?.isDone) await copyTable(table, from, to, progress, onProgress)
  }
  await to.setLastNumbers(await from.lastNumbers())
}

interface TableSum {
  readonly rows: number
  readonly checksum: string
}

/** Refuses integers beyond the exact range, because they would compare equal to their neighbours. */
const canonical = (table: Table, row: Cells): readonly (string | number | null)[] =>
  row.map((cell, i) => {
    if (typeof cell === 'string') return withoutNul(cell)
    if (Buffer.isBuffer(cell)) return cell.toString('base64')
    if (typeof cell === 'number' && table.columns[i]?.type === 'integer' && !Number.isSafeInteger(cell))
      throw new RangeError(`${table.name}.${table.columns[i]?.name} holds ${cell}, which is no exact number`)
    return cell
  })

/** Number and checksum of a table's rows, independent of the engine. */
async function sumOf(table: Table, reader: TableReader): Promise<TableSum> {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of reader.read(table, undefined)) {
    count += rows.length
    for (const row of rows) hash.update(`${JSON.stringify(canonical(table, row))}\n`)
  }
  return { rows: count, checksum: hash.digest('hex') }
}

interface Difference {
  readonly table: string
  readonly here: number
  readonly there: number
}

/** Tables whose rows differ. */
export async function findDifferences(
  tables: readonly Table[],
  here: TableReader,
  there: TableReader,
  onCompared: (table: string, rows: number) => void,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const table of tables) {
    const [one, other] = await Promise.all([sumOf(table, here), sumOf(table, there)])
    if (one.checksum !== other.checksum) differences.push({ table: table.name, here: one.rows, there: other.rows })
    onCompared(table.name, one.rows)
  }
  return differences
}
