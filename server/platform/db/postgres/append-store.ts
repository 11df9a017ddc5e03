import { CompiledQuery } from 'kysely'
import type { Column, NewRows } from '../append-rows.ts'
import type { Db } from '../database.ts'

const typeNames = { text: 'text', integer: 'bigint' } as const

type Plain = Exclude<Column, { type: 'blob' }>

/**
 * The bytes of all rows are one parameter, of which each row takes a range: in an array each would be encoded in
 * hexadecimal.
 */
const stretchesOf = (cells: readonly Uint8Array[]) => {
  let end = 1
  const from = cells.map(cell => {
    const begin = end
    end += cell.length
    return begin
  })
  return { from, lengths: cells.map(cell => cell.length) }
}

/** Formats an array as PostgreSQL does. The driver would check each element for quoting. */
const arrayOf = (numbers: readonly number[]) => `{${numbers.join(',')}}`

/** The value that all rows share, as `{ cell }`; undefined: they differ. */
const commonOf = ({ cells }: Plain): { cell: string | number | null | undefined } | undefined =>
  (cells as readonly unknown[]).every(cell => cell === cells[0]) ? { cell: cells[0] } : undefined

/** Parameters of a statement, and the arrays that its rows are made from. */
class Values {
  readonly bound: unknown[] = []
  readonly #arrays: string[] = []

  one(value: unknown, type: string): string {
    this.bound.push(value)
    return `$${this.bound.length}::${type}`
  }
  /** Returns the column's name in the joined arrays. */
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
 * One statement with its own commit. It takes the writers' lock before any row gets a number, so that numbers are
 * committed in order. A value that all rows share is passed once, which gives a few variants of the statement. At least
 * one column has bytes.
 */
export async function appendRows(db: Db, writersKey: bigint, { table, columns }: NewRows): Promise<void> {
  const values = new Values()
  const cells = columns.map(column => cellOf(column, values))
  const text = `with line as materialized (select pg_advisory_xact_lock(${writersKey}))
    insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')})
    select ${cells.join(', ')} from line, ${values.rows()} order by added.place`
  await db.executeQuery(CompiledQuery.raw(text, values.bound))
}
