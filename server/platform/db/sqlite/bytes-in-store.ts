import { type RawBuilder, sql } from 'kysely'

/** @see bytesIn */
export const sqliteBytesIn = (column: string, bytes: Buffer): RawBuilder<boolean> =>
  sql`instr(${sql.ref(column)}, ${bytes}) > 0`
