import { freshDatabases } from '#test/helpers/db.ts'
import { isOnSqlite } from '#test/helpers/engine.ts'
import { conformance } from './conformance.ts'

conformance(isOnSqlite ? 'SQLite' : 'PostgreSQL', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  return databases
})
