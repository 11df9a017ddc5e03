import { type RawBuilder, sql } from 'kysely'

/** @see bytesIn */
export const postgresBytesIn = (column: string, bytes: Buffer): RawBuilder<boolean> =>
  sql`position(${bytes}::bytea in ${sql.ref(column)}) > 0`
