import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { Db } from './database.ts'
import { hotQuery, runCompiled } from './db.ts'
import { keptForEngine } from './kept-for-engine.ts'

/** How many rows a bulk statement is prepared for; a batch is cut into these, so that few texts are ever parsed. */
const sizes = [256, 128, 64, 16, 4, 1] as const

/** True when a write of so many rows is one statement, which is a transaction by itself. */
export const isOneWrite = (rows: number): boolean => (sizes as readonly number[]).includes(rows)

/** An update joins its values: with many of them SQLite would rather read the whole table than seek its rows. */
const updateSizes = [16, 4, 1] as const

const sign = '\u0001'
const shared = 's'

/** Stands for a row's values while the statement is built, and notes which of them were asked for. */
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

/** Tens of values of each row, of thousands of rows a second. */
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
 * A statement over many rows, compiled once per engine and size and run with any number of them: `build` sees marks instead of
 * values and must pass each straight to the query, or it is refused. Answers the rows of all its runs; none for an empty batch.
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
    // What was decided by a mark, which is always true, would hold for every row there will ever be.
    if (lost.length) throw new Error(`Not in the statement as it is: ${lost.map(mark => slotOf(mark).name)}`)
    const made = { query, slots: query.parameters.map(slotOf) }
    kept.set(size, made)
    return made
  }
  /** A lookup may ask for a row twice, so it takes the smallest size that holds the rest; a write never may. */
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

/** The same for a change of what an organization has. */
export const bulkWrite: <In extends object, Common extends object, Row>(
  ...args: Parameters<typeof bulkQuery<In, Common, Row>>
) => (db: OrgDb, rows: readonly In[], common: Common) => Promise<Row[]> = bulkQuery

/** A change of what an organization has, compiled once. @see hotQuery */
export const hotWrite: <P extends Record<string, unknown>>(
  build: Parameters<typeof hotQuery<P, never>>[0],
) => (db: OrgDb, params: P) => Promise<unknown> = hotQuery

/** A lookup by a list of values under one common condition: `value` in `where … in`. */
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

/** So many are sought one by one, whatever is believed of their table. */
const fewSought = 4

/**
 * A query that seeks a lookup's list of values in a table that grows: with statistics of a time when it had few rows, SQLite would
 * rather read all of it than seek a long list. So `many` joins the list crosswise ahead of it, each value once, as a column `value`.
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
 * The organization as a check and never as the way in: without statistics SQLite believes that an organization has ten
 * rows, and would rather read all of them than look up a list. The expression keeps its indexes out of it.
 */
export const belongsTo = (column: `${string}.org_id`, orgId: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} || '' = ${orgId}`

/** A number among the values of a statement. PostgreSQL has to be told what it is, and ours may be larger than 32 bits. */
export const wholeNumber = (value: number): RawBuilder<number> => sql<number>`cast(${value} as bigint)`

/**
 * Whether a column of folded text has these folded words in it, as they stand: what means something to `like` means
 * itself here.
 */
export const containsText = (column: 'search_text', words: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} like ${`%${words.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
