import { sqliteJobs } from '#server/jobs/engine.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { conformance } from './conformance.ts'

conformance('SQLite', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  return { databases, engine: sqliteJobs }
})
