import type { Db } from '../db.ts'

type RunAtOnce = (sql: string, parameters: readonly unknown[]) => unknown[]

const runners = new WeakMap<Db, RunAtOnce>()

/** An engine without a network says here how a compiled statement runs on a connection past Kysely's queue. */
export const runAtOnceOn = (db: Db, run: RunAtOnce): void => {
  runners.set(db, run)
}

/** Undefined: statements of this connection wait for their answer like all others. */
export const findRunAtOnce = (db: Db): RunAtOnce | undefined => runners.get(db)
