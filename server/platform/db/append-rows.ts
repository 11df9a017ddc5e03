import type { Db } from './database.ts'

/** What is added to a table with numbers of its own, column by column. */
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

/** An engine on which a transaction is several round trips says here how rows are added in one. */
export const appendRowsOn = (db: Db, append: AppendRows): void => {
  appenders.set(db, append)
}

/**
 * Adds rows in their order and as one commit of their own; of several processes that do, each follows the other. Undefined:
 * statements of this connection cost too little to be spared.
 */
export const findAppendRows = (db: Db): AppendRows | undefined => appenders.get(db)
