import process from 'node:process'
import t, { type Test } from 'tap'

/** Which engine this run's databases are of. */
export const isOnSqlite = process.env.TEST_ENGINE !== 'postgres'

/** A claim about what is SQLite's own: its plans, settings and files. Of another engine it is not asked. */
export const testOnSqlite = (claim: string, prove: (t: Test) => unknown): void => {
  if (isOnSqlite) t.test(claim, prove as never)
}
