import { sql } from 'kysely'
import { withoutNul } from '#server/platform/text/good-text.ts'
import type { Db } from '../database.ts'
import {
  type Cell,
  type Cells,
  type ColumnType,
  sizeOf,
  type Table,
  type TableReader,
  type TableWriter,
} from '../table-copy.ts'
import { ensureSchema, schemaOf } from './schema-store.ts'

/** Exists while a database is being filled by a copy. */
export const progressTable = 'move_progress'

const maxRows = 1_000
/** Rows per statement for tables with bytes, until the size of their rows is known. */
const fewRows = 50
const bytesPerBatch = 2 ** 19

const arrayTypes: Readonly<Record<ColumnType, string>> = {
  text: 'text[]',
  integer: 'bigint[]',
  real: 'double precision[]',
  blob: 'bytea[]',
}

const columnRefs = (table: Table) => table.columns.map(({ name }) => sql.id(name))

/** Kysely's own tables use the database's collation, ours byte order. */
const orderOf = (table: Table) =>
  table.key.map(i => {
    const column = sql.id(table.columns[i]?.name as string)
    return table.name.startsWith('kysely_') ? sql`${column} collate "C"` : column
  })

/** The number of rows that fit into the next statement, judged by the previous rows. */
const nextLimit = (rows: readonly Cells[], most: number): number => {
  const size = rows.reduce((sum, row) => sum + sizeOf(row), 0) / rows.length
  return Math.max(1, Math.min(most, Math.floor(bytesPerBatch / Math.max(1, size))))
}

/** Reads what `db` sees. For one point in time, pass a repeatable-read transaction. */
export const createPostgresReader = (db: Db): TableReader => ({
  async count(table) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.id(table.name)}`.execute(db)
    return rows[0]?.n ?? 0
  },
  async *read(table, after) {
    const names = table.columns.map(({ name }) => name)
    const order = sql.join(orderOf(table))
    const most = table.columns.some(({ type }) => type === 'blob') ? maxRows / 4 : maxRows
    let limit = most < maxRows ? fewRows : maxRows
    let last = after
    for (;;) {
      const behind = last ? sql`where (${order}) > (${sql.join(last)})` : sql``
      const { rows: found } = await sql<Record<string, Cell>>`select ${sql.join(columnRefs(table))}
        from ${sql.id(table.name)} ${behind} order by ${order} limit ${limit}`.execute(db)
      const rows = found.map(row => names.map(name => row[name] as Cell))
      if (!rows.length) return
      yield rows
      if (rows.length < limit) return
      const end = rows.at(-1) as Cells
      last = table.key.map(i => end[i] as Cell)
      limit = nextLimit(rows, most)
    }
  },
  async lastNumbers() {
    const sequences = await listSequences(db)
    const numbers = new Map<string, number>()
    for (const { table, sequence } of sequences) {
      const { rows } = await sql<{
        n: number
      }>`select last_value as n from ${sql.id(sequence)} where is_called`.execute(db)
      if (rows[0]) numbers.set(table, rows[0].n)
    }
    return numbers
  },
})

const listSequences = async (db: Db): Promise<{ table: string; sequence: string }[]> =>
  (
    await sql<{ table: string; sequence: string }>`select t.relname as table, s.relname as sequence
      from pg_depend as d
      join pg_class as s on s.oid = d.objid and s.relkind = 'S'
      join pg_class as t on t.oid = d.refobjid
      join pg_namespace as n on n.oid = t.relnamespace
      where d.deptype = 'i' and n.nspname = current_schema() order by t.relname`.execute(db)
  ).rows

/** Inserts a batch in one statement, with one array per column. */
const insertRows = async (trx: Db, table: Table, rows: readonly Cells[]): Promise<void> => {
  const arrays = table.columns.map(({ type }, i) => {
    const cells = rows.map(row => row[i] as Cell)
    return sql`${type === 'text' ? cells.map(cell => (cell === null ? null : withoutNul(cell as string))) : cells}::${sql.raw(arrayTypes[type])}`
  })
  await sql`insert into ${sql.id(table.name)} (${sql.join(columnRefs(table))})
    select * from unnest(${sql.join(arrays)})`.execute(trx)
}

/** Appends rows that `toAppend` computes under the writers' lock. */
export const appendRows = (
  db: Db,
  table: Table,
  toAppend: (trx: Db) => readonly Cells[] | Promise<readonly Cells[]>,
): Promise<void> =>
  db.transaction().execute(async opened => {
    const trx = opened as unknown as Db
    await insertRows(trx, table, await toAppend(trx))
  })

/** Reserves numbers of a table's sequence; returns the first. */
export async function reserveNumbers(db: Db, table: string, count: number): Promise<number> {
  const sequence = (await listSequences(db)).find(one => one.table === table)?.sequence as string
  const { rows } = await sql<{ last: number }>`select setval(${`"${sequence}"`}::regclass,
    nextval(${`"${sequence}"`}::regclass) + ${count}::bigint - 1) as last`.execute(db)
  return (rows[0]?.last as number) - count + 1
}

/** Updates statistics for the planner. */
export const analyzeAll = async (db: Db): Promise<void> => {
  await sql`analyze`.execute(db)
}

/** Progress is stored with the rows, so that a later run continues. */
export const createPostgresWriter = (db: Db): TableWriter => ({
  async progress() {
    const { rows } = await sql<{ name: string; last_key: string | null; row_count: number; is_done: number }>`
      select table_name as name, last_key, row_count, is_done from ${sql.id(progressTable)}
      where table_name not in ('', ${droppedKey})`.execute(db)
    return new Map(
      rows.map(({ name, last_key, row_count, is_done }) => [
        name,
        { after: last_key === null ? undefined : JSON.parse(last_key), rows: row_count, isDone: is_done === 1 },
      ]),
    )
  },
  async write(table, rows, { after, rows: count, isDone }, { isFirst }) {
    await db.transaction().execute(async trx => {
      // Rows lost by a power failure are copied again.
      await sql`set local synchronous_commit to off`.execute(trx)
      if (isFirst) await sql`delete from ${sql.id(table.name)}`.execute(trx)
      if (rows.length) await insertRows(trx as unknown as Db, table, rows)
      await sql`insert into ${sql.id(progressTable)} (table_name, last_key, row_count, is_done)
        values (${table.name}, ${after ? JSON.stringify(after) : null}, ${count}, ${isDone ? 1 : 0})
        on conflict (table_name) do update
        set last_key = excluded.last_key, row_count = excluded.row_count, is_done = excluded.is_done`.execute(trx)
    })
  },
  async setLastNumbers(numbers) {
    for (const { table, sequence } of await listSequences(db)) {
      const last = numbers.get(table)
      if (last !== undefined) await sql`select setval(${`"${sequence}"`}::regclass, ${last}::bigint)`.execute(db)
    }
  },
})

/** The source that a database is being filled from; undefined: it is not being filled. */
export async function findCopySource(db: Db): Promise<string | undefined> {
  const { rows: tables } = await sql`select 1 from pg_tables
    where schemaname = current_schema() and tablename = ${progressTable}`.execute(db)
  if (!tables.length) return undefined
  const { rows } = await sql<{ source: string }>`select last_key as source from ${sql.id(progressTable)}
    where table_name = ''`.execute(db)
  return rows[0]?.source ?? ''
}

/** Marks the database as being filled, so that no server starts on it. */
export async function beginCopy(db: Db, source: string): Promise<void> {
  await ensureSchema(db)
  await db.transaction().execute(async trx => {
    await sql`create table if not exists ${sql.id(progressTable)}
      (table_name text collate "C" primary key, last_key text, row_count bigint not null, is_done bigint not null)`.execute(
      trx,
    )
    await sql`insert into ${sql.id(progressTable)} values ('', ${source}, 0, 0) on conflict do nothing`.execute(trx)
  })
}

interface Laid {
  readonly drop: string
  readonly create: string
}

/** Foreign keys, and indexes that no constraint needs: the most expensive to maintain row by row. */
const listReferencesAndIndexes = async (db: Db): Promise<Laid[]> =>
  (
    await sql<Laid>`select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
      union all
      select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
      from pg_index as i join pg_class as c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace
        and not exists (select 1 from pg_constraint as own where own.conindid = i.indexrelid)`.execute(db)
  ).rows

/** Pseudo table name under which the statements that restore them are stored. */
const droppedKey = ' references and indexes'

/**
 * Drops foreign keys and indexes until `endCopy`: creating them at the end saves a third of the time, and broken
 * references are still found. Done once per copy, however often it is interrupted.
 */
export async function dropIndexesForCopy(db: Db): Promise<void> {
  await db.transaction().execute(async trx => {
    const { rows } = await sql`select 1 from ${sql.id(progressTable)} where table_name = ${droppedKey}`.execute(trx)
    if (rows.length) return
    const laid = await listReferencesAndIndexes(trx as unknown as Db)
    await sql`insert into ${sql.id(progressTable)}
      values (${droppedKey}, ${JSON.stringify(laid.map(({ create }) => create))}, 0, 0)`.execute(trx)
    for (const { drop } of laid) await sql.raw(drop).execute(trx)
  })
}

/** Completes the copy: recreates indexes and foreign keys, and removes the mark. */
export async function endCopy(db: Db): Promise<void> {
  await db.transaction().execute(async trx => {
    const { rows } = await sql<{ statements: string }>`select last_key as statements from ${sql.id(progressTable)}
      where table_name = ${droppedKey}`.execute(trx)
    // Indexes first, because foreign keys are checked with them.
    const statements = JSON.parse(rows[0]?.statements ?? '[]') as string[]
    const isReference = (statement: string) => statement.startsWith('alter')
    for (const statement of statements.filter(one => !isReference(one))) await sql.raw(statement).execute(trx)
    for (const statement of statements.filter(isReference)) await sql.raw(statement).execute(trx)
    await analyzeAll(trx as unknown as Db)
    await sql`drop table ${sql.id(progressTable)}`.execute(trx)
  })
}

/** Connections of other Recado processes to this database and schema: servers or commands. */
export async function countOthers(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** All tables in the schema, including those that are not ours. */
export async function countTables(db: Db): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from pg_tables where schemaname = current_schema()`.execute(db)
  return rows[0]?.n ?? 0
}

/** Renames the schema and creates an empty one in its place. */
export async function setSchemaAside(db: Db, name: string): Promise<void> {
  const schema = await schemaOf(db)
  await db.transaction().execute(async trx => {
    await sql`alter schema ${sql.id(schema)} rename to ${sql.id(name)}`.execute(trx)
    await sql`create schema ${sql.id(schema)}`.execute(trx)
  })
}

/** Undoes `setSchemaAside`; deletes what was created since. */
export async function restoreSchema(db: Db, name: string): Promise<void> {
  const schema = await schemaOf(db)
  await db.transaction().execute(async trx => {
    await sql`drop schema ${sql.id(schema)} cascade`.execute(trx)
    await sql`alter schema ${sql.id(name)} rename to ${sql.id(schema)}`.execute(trx)
  })
}
