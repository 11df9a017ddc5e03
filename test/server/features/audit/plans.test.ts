import t from 'tap'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('the list uses an index with any filter', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const plan = (where: string) =>
    databases.raw.read
      .prepare(`explain query plan select * from audit_entry where org_id = 'x' ${where} order by id desc limit 51`)
      .all()
      .map(row => (row as { detail: string }).detail)
      .join(' ')
  for (const [where, index] of [
    ['', 'audit_entry_org'],
    ["and kind = 'keys' and id < 'y'", 'audit_entry_kind'],
    ["and actor_id = 'z'", 'audit_entry_actor'],
  ] as const) {
    t.match(plan(where), new RegExp(index))
    t.notMatch(plan(where), /TEMP B-TREE/)
  }
})
