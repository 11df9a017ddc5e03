import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isOnSqlite } from './engine.ts'

/**
 * Adds a trigger that runs a statement after each insert into a table; `new` is the inserted row. It simulates what
 * others do at that moment.
 */
export async function atEachNew(db: Db, table: string, statement: RawBuilder<unknown>): Promise<void> {
  const name = sql.ref(`at_each_new_${table}`)
  const occasion = sql`create trigger ${name} after insert on ${sql.table(table)} for each row`
  if (isOnSqlite) await sql`${occasion} begin ${statement}; end`.execute(db)
  else {
    await sql`create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`.execute(
      db,
    )
    await sql`${occasion} execute function ${name}()`.execute(db)
  }
}
