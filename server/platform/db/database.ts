import type { Kysely } from 'kysely'

/** The tables. Each feature declares its own in its `table.ts`, which adds them here. */
// biome-ignore lint/suspicious/noEmptyInterface: the features add to it
export interface Database {}

/** A connection or a transaction: store functions take either. */
export type Db = Kysely<Database>
