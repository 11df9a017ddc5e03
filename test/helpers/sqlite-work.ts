import type { Database as SqliteDatabase } from 'better-sqlite3'

export interface SqliteWork {
  statements: number
  /** Rows that the statements returned or changed. */
  rows: number
}
type Method = (...values: unknown[]) => unknown

/**
 * Runs `work` and returns the most that SQLite did between two turns of the event loop, for any caller. It counts
 * instead of measuring time, so that a busy machine does not matter.
 */
export const mostWorkPerTurn = async (db: SqliteDatabase, work: () => Promise<unknown>): Promise<SqliteWork> => {
  const most: SqliteWork = { statements: 0, rows: 0 }
  const inTurn: SqliteWork = { statements: 0, rows: 0 }
  const end = () => void Object.assign(inTurn, { statements: 0, rows: 0 })
  const count = (rows: number) => {
    // The first statement of a turn asks for its end. To ask in every turn would keep a waiting process busy.
    if (inTurn.statements === 0) setImmediate(end)
    inTurn.statements += 1
    inTurn.rows += rows
    most.statements = Math.max(most.statements, inTurn.statements)
    most.rows = Math.max(most.rows, inTurn.rows)
  }
  const statement = Object.getPrototypeOf(db.prepare('select 1')) as Record<'run' | 'all' | 'get', Method>
  const { run, all, get } = statement
  statement.run = function (...values) {
    const result = run.apply(this, values)
    count((result as { changes: number }).changes)
    return result
  }
  statement.all = function (...values) {
    const rows = all.apply(this, values)
    count((rows as unknown[]).length)
    return rows
  }
  statement.get = function (...values) {
    count(1)
    return get.apply(this, values)
  }
  try {
    await work()
    return most
  } finally {
    Object.assign(statement, { run, all, get })
  }
}
