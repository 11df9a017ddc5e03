import { sql } from 'kysely'

/** @see rowAddress */
export const sqliteRowAddress = sql.raw('rowid')
