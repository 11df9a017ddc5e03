import type { Db } from './database.ts'

/**
 * Creates something once per engine, such as a compiled statement, whose text differs. An engine is identified by the
 * adapter that all its connections share.
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
