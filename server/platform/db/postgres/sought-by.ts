import { sql } from 'kysely'

/** PostgreSQL updates its statistics by itself. @see soughtBy */
export const postgresSoughtBy = (table: string, _index: string) => sql`${sql.table(table)}`
