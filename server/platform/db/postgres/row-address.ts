import { sql } from 'kysely'

/** @see rowAddress */
export const postgresRowAddress = sql.raw('ctid')
