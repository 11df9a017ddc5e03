import { sql } from 'kysely'

/** It counts rows by itself, again and again. @see soughtBy */
export const postgresSoughtBy = (table: string, _index: string) => sql`${sql.table(table)}`
