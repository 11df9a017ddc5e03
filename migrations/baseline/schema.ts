import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** A column that names an organization, whose rows go with it. */
export const ofOrganization = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('organization.id').onDelete('cascade')

export const isOnPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Runs statements one after the other, as they are written. */
export async function runAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
