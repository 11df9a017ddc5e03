import t from 'tap'
import { bringers, broughtTables } from '#server/messaging/media/bringers-store.ts'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('the uploaders of files are read with one index lookup each', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  for (const table of broughtTables) {
    const { sql, parameters } = bringers(table, '', 200).compile(databases.read)
    const plan = databases.raw.read.prepare(`explain query plan ${sql}`).all(...(parameters as unknown[]))
    const steps = (plan as { detail: string }[]).map(({ detail }) => detail)
    const seeks = steps.filter(step => step.includes(table))
    t.ok(seeks.length >= 2)
    for (const step of seeks)
      t.match(step, new RegExp(`^SEARCH ${table} USING COVERING INDEX ${table}_brought \\(brought_by>\\?\\)$`))
    t.notMatch(steps.join('\n'), /SCAN (user|person|apikey)/)
  }
})
