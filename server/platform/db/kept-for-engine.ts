import type { Db } from './database.ts'

/**
 * Something that is made once for each engine, such as a compiled statement: their texts differ. All connections and
 * transactions of an engine share its one adapter, by which it is known.
 */
export function keptForEngine<T>(make: (db: Db) => T): (db: Db) => T {
  const kept = new Map<unknown, T>()
  return db => {
    const { adapter } = db.getExecutor()
    const known = kept.get(adapter)
    if (known !== undefined) return known
    const made = make(db)
    kept.set(adapter, made)
    return made
  }
}
