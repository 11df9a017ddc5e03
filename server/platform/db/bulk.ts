import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { Db } from './database.ts'
import { hotQuery, runCompiled } from './db.ts'
import { keptForEngine } from './kept-for-engine.ts'

/** Batch sizes that statements are prepared for. A batch is split into these, so that few statements are parsed. */
const sizes = [256, 128, 64, 16, 4, 1] as const

/** A write of this many rows is one statement, which is atomic without a transaction. */
export const isSingleStatement = (rows: number): boolean => (sizes as readonly number[]).includes(rows)

/** An update joins its values: with many of them SQLite would scan the table instead of looking up rows. */
const updateSizes = [16, 4, 1] as const

const sign = '\u0001'
const shared = 's'

/** A placeholder for a row's values while the statement is built; records which of them are read. */
const marksOf = <T>(row: number | typeof shared, asked: Set<string>): T =>
  new Proxy(
    {},
    {
      get: (_t, name) => {
        const mark = `${sign}${row}:${String(name)}`
        asked.add(mark)
        return mark
      },
    },
  ) as T

interface Slot {
  readonly row: number | undefined
  readonly name: string
  readonly value: unknown
}

const slotOf = (value: unknown): Slot => {
  if (typeof value !== 'string' || !value.startsWith(sign)) return { row: undefined, name: '', value }
  const colon = value.indexOf(':')
  const row = value.slice(1, colon)
  return { row: row === shared ? -1 : Number(row), name: value.slice(colon + 1), value: undefined }
}

/** A loop without allocations, because it handles tens of values for thousands of rows a second. */
const fill = (slots: readonly Slot[], rows: readonly object[], from: number, common: object): unknown[] => {
  const values = new Array<unknown>(slots.length)
  const last = rows.length - 1
  for (let i = 0; i < slots.length; i += 1) {
    const { row, name, value } = slots[i] as Slot
    const source = row === undefined ? undefined : row < 0 ? common : rows[Math.min(from + row, last)]
    values[i] = source === undefined ? value : (source as Record<string, unknown>)[name]
  }
  return values
}

type Compilable<Row> = { compile(db: Db): CompiledQuery<Row> }
type Build<In, Common, Row> = (db: Db, rows: readonly In[], common: Common) => Compilable<Row>

/**
 * Compiles a statement over many rows once per engine and batch size, and runs it for any number of rows. `build` gets
 * placeholders instead of values and must pass each unchanged into the query; otherwise it throws. Returns the rows of
 * all runs.
 */
export function bulkQuery<In extends object, Common extends object, Row>(
  build: Build<In, Common, Row>,
  kind: 'write' | 'update' | 'lookup' = 'write',
) {
  const keptBySize = keptForEngine(() => new Map<number, { query: CompiledQuery<Row>; slots: Slot[] }>())
  const prepared = (db: Db, size: number) => {
    const kept = keptBySize(db)
    const known = kept.get(size)
    if (known) return known
    const asked = new Set<string>()
    const rows = Array.from({ length: size }, (_, i) => marksOf<In>(i, asked))
    const query = build(db, rows, marksOf<Common>(shared, asked)).compile(db)
    const bound = new Set(query.parameters)
    const lost = [...asked].filter(mark => !bound.has(mark))
    // A placeholder that was used in a decision, where it is always truthy, would fix the statement for all rows.
    if (lost.length)
      throw new Error(
        `bulkQuery: parameter must appear unchanged in the statement: ${lost.map(mark => slotOf(mark).name)}`,
      )
    const made = { query, slots: query.parameters.map(slotOf) }
    kept.set(size, made)
    return made
  }
  /** A lookup may repeat a row, so it takes the smallest size that fits the rest; a write must not. */
  const sizeFor = (left: number): number => {
    if (kind === 'lookup') return sizes.findLast(size => size >= left) ?? sizes[0]
    return (kind === 'update' ? updateSizes : sizes).find(size => size <= left) as number
  }
  return async (db: Db, rows: readonly In[], common: Common): Promise<Row[]> => {
    let found: Row[] | undefined
    for (let from = 0; from < rows.length; ) {
      const size = sizeFor(rows.length - from)
      const { query, slots } = prepared(db, size)
      const some = await runCompiled(db, query, fill(slots, rows, from, common))
      found = found ? found.concat(some) : some
      from += size
    }
    return found ?? []
  }
}

/** `bulkQuery` for statements that change an organization's data. */
export const bulkWrite: <In extends object, Common extends object, Row>(
  ...args: Parameters<typeof bulkQuery<In, Common, Row>>
) => (db: OrgDb, rows: readonly In[], common: Common) => Promise<Row[]> = bulkQuery

/** A change of an organization's data, compiled once. @see hotQuery */
export const hotWrite: <P extends Record<string, unknown>>(
  build: Parameters<typeof hotQuery<P, never>>[0],
) => (db: OrgDb, params: P) => Promise<unknown> = hotQuery

/** A lookup by a list of values and common parameters: `value` in `where … in`. */
export const lookupQuery = <Common extends object, Row>(
  build: (db: Db, values: readonly string[], common: Common) => Compilable<Row>,
) => {
  const run = bulkQuery<{ value: string }, Common, Row>(
    (db, rows, common) =>
      build(
        db,
        rows.map(row => row.value),
        common,
      ),
    'lookup',
  )
  return (db: Db, values: readonly string[], common: Common): Promise<Row[]> =>
    run(
      db,
      [...new Set(values)].map(value => ({ value })),
      common,
    )
}

/** Up to this many values are looked up one by one, whatever the statistics say. */
const fewSought = 4

/**
 * Builds a query that looks up a list of values in a growing table. With statistics from when the table was small,
 * SQLite would scan it rather than look up a long list, so `many` cross joins the list, each value once, as a column
 * `value`.
 */
export const seekList = <Query>(
  values: readonly string[],
  { few, many }: { few(): Query; many(list: RawBuilder<{ value: string }>): unknown },
): Query => {
  if (values.length <= fewSought) return few()
  const rows = sql.join(values.map(value => sql`(${value})`))
  return many(sql`(select distinct column1 as value from (values ${rows}) as given)`) as Query
}

/**
 * Checks the organization without using an index on it: without statistics SQLite assumes ten rows per organization,
 * and would scan all of them instead of looking up a list. The expression hides the column from the planner.
 */
export const belongsTo = (column: `${string}.org_id`, orgId: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} || '' = ${orgId}`

/** A number as a parameter. PostgreSQL needs its type, and ours may exceed 32 bits. */
export const wholeNumber = (value: number): RawBuilder<number> => sql<number>`cast(${value} as bigint)`

/** SQL. The words must be folded like the column, and match literally: `%` and `_` have no special meaning. */
export const containsText = (column: 'search_text', words: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} like ${`%${words.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
