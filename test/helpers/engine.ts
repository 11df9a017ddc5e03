import process from 'node:process'
import t, { type Test } from 'tap'

/** Whether this run's databases are SQLite. */
export const isOnSqlite = process.env.TEST_ENGINE !== 'postgres'

/** A test of something that only SQLite has: its plans, settings and files. It does not run on PostgreSQL. */
export const testOnSqlite = (claim: string, prove: (t: Test) => unknown): void => {
  if (isOnSqlite) t.test(claim, prove as never)
}
