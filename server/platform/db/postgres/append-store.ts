import { CompiledQuery } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Column, NewRows } from '../append-rows.ts'

const typeNames = { text: 'text', integer: 'bigint' } as const

type Plain = Exclude<Column, { type: 'blob' }>

/** Bytes of all rows are one value, and each row a stretch of it: in an array each would be written in hexadecimal. */
const stretchesOf = (cells: readonly Uint8Array[]) => {
  let end = 1
  const from = cells.map(cell => {
    const begin = end
    end += cell.length
    return begin
  })
  return { from, lengths: cells.map(cell => cell.length) }
}

/** As the engine writes it; the driver would look at each of them for what has to be quoted. */
const arrayOf = (numbers: readonly number[]) => `{${numbers.join(',')}}`

/** What all rows have in common, as `{ cell }`; undefined: they differ. */
const commonOf = ({ cells }: Plain): { cell: string | number | null | undefined } | undefined =>
  (cells as readonly unknown[]).every(cell => cell === cells[0]) ? { cell: cells[0] } : undefined

/** The values of a statement, and the arrays among them that its rows are made of. */
class Values {
  readonly bound: unknown[] = []
  readonly #arrays: string[] = []

  one(value: unknown, type: string): string {
    this.bound.push(value)
    return `$${this.bound.length}::${type}`
  }
  /** Answers the name of a row's own among them. */
  each(cells: unknown, type: string): string {
    this.#arrays.push(this.one(cells, `${type}[]`))
    return `added.c${this.#arrays.length}`
  }
  rows(): string {
    const names = this.#arrays.map((_, i) => `c${i + 1}`)
    return `unnest(${this.#arrays.join(', ')}) with ordinality as added(${names.join(', ')}, place)`
  }
}

const cellOf = (column: Column, values: Values): string => {
  if (column.type === 'blob') {
    const { from, lengths } = stretchesOf(column.cells)
    const bytes = values.one(Buffer.concat(column.cells), 'bytea')
    return `substr(${bytes}, ${values.each(arrayOf(from), 'int')}, ${values.each(arrayOf(lengths), 'int')})`
  }
  const type = typeNames[column.type]
  const common = commonOf(column)
  return common ? values.one(common.cell, type) : values.each(column.cells, type)
}

/**
 * One statement with its own commit. It takes the writers' lock before any of its rows gets a number: as in a transaction
 * that begins with the lock, numbers are committed in the order they were given. What all rows have in common goes along
 * once, which makes a few statements of one; one column at least has bytes.
 */
export async function appendRows(db: Db, writersKey: bigint, { table, columns }: NewRows): Promise<void> {
  const values = new Values()
  const cells = columns.map(column => cellOf(column, values))
  const text = `with line as materialized (select pg_advisory_xact_lock(${writersKey}))
    insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')})
    select ${cells.join(', ')} from line, ${values.rows()} order by added.place`
  await db.executeQuery(CompiledQuery.raw(text, values.bound))
}
