import type { Db } from './database.ts'

/** Rows to append to a table with a sequence, column by column. */
export interface NewRows {
  readonly table: string
  readonly columns: readonly Column[]
}

export type Column =
  | { readonly name: string; readonly type: 'text'; readonly cells: readonly (string | null)[] }
  | { readonly name: string; readonly type: 'integer'; readonly cells: readonly number[] }
  | { readonly name: string; readonly type: 'blob'; readonly cells: readonly Uint8Array[] }

type AppendRows = (rows: NewRows) => Promise<void>

const appenders = new WeakMap<Db, AppendRows>()

/**
 * Registers how a connection appends rows in one statement, for engines where a transaction takes several round trips.
 */
export const appendRowsOn = (db: Db, append: AppendRows): void => {
  appenders.set(db, append)
}

/**
 * Appends rows in order, as a commit of their own; concurrent appends of several processes run one after another.
 * Undefined: an ordinary transaction is cheap enough.
 */
export const findAppendRows = (db: Db): AppendRows | undefined => appenders.get(db)
