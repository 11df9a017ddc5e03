import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db.ts'
import type { Column, NewRows } from '../append-rows.ts'

const arrayTypes = { text: 'text[]', integer: 'bigint[]' } as const

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

/** What a column is of the rows `added`, and the arrays that it needs there. */
const partsOf = (
  column: Column,
  i: number,
): { value: RawBuilder<unknown>; arrays: [string, RawBuilder<unknown>][] } => {
  const named = (suffix: string) => `c${i}${suffix}`
  const array = (cells: readonly unknown[], type: string) => sql`${cells}::${sql.raw(type)}`
  if (column.type !== 'blob') {
    const name = named('')
    return { value: sql.ref(`added.${name}`), arrays: [[name, array(column.cells, arrayTypes[column.type])]] }
  }
  const { from, lengths } = stretchesOf(column.cells)
  return {
    value: sql`substr(${Buffer.concat(column.cells)}::bytea, ${sql.ref(`added.${named('from')}`)}, ${sql.ref(`added.${named('length')}`)})`,
    arrays: [
      [named('from'), array(from, 'int[]')],
      [named('length'), array(lengths, 'int[]')],
    ],
  }
}

/**
 * One statement with its own commit. It takes the writers' lock before any of its rows gets a number: as in a transaction
 * that begins with the lock, numbers are committed in the order they were given.
 */
export async function appendRows(db: Db, writersKey: bigint, { table, columns }: NewRows): Promise<void> {
  const parts = columns.map(partsOf)
  const arrays = parts.flatMap(part => part.arrays)
  await sql`with line as materialized (select pg_advisory_xact_lock(${sql.raw(String(writersKey))}))
    insert into ${sql.id(table)} (${sql.join(columns.map(({ name }) => sql.id(name)))})
    select ${sql.join(parts.map(({ value }) => value))}
    from line, unnest(${sql.join(arrays.map(([, value]) => value))})
      with ordinality as added(${sql.join(arrays.map(([name]) => sql.id(name)))}, place)
    order by added.place`.execute(db)
}
