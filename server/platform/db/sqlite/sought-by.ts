import { sql } from 'kysely'

/** @see soughtBy */
export const sqliteSoughtBy = (table: string, index: string) => sql`${sql.table(table)} indexed by ${sql.ref(index)}`
