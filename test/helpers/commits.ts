import type { Statement } from 'better-sqlite3'
import type { Databases } from '#server/platform/db/db.ts'

/** Counts commits. Call it before the database is used, because prepared statements are cached. */
export const countCommits = ({ raw }: Databases): (() => number) => {
  const db = raw.write
  let commits = 0
  const prepare = db.prepare.bind(db)
  const counted =
    <A extends unknown[], R>(statement: Statement, run: (...args: A) => R) =>
    (...args: A): R => {
      const wasOpen = db.inTransaction
      const answer = run(...args)
      const isCommit = wasOpen && !db.inTransaction && statement.source === 'commit'
      if (isCommit || (!wasOpen && !db.inTransaction && !statement.readonly)) commits += 1
      return answer
    }
  db.prepare = ((source: string) => {
    const statement = prepare(source)
    statement.run = counted(statement, statement.run.bind(statement))
    statement.all = counted(statement, statement.all.bind(statement))
    return statement
  }) as never
  return () => commits
}
