import t from 'tap'
import { countPutAside } from '#server/messaging/intake/store.ts'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('parked webhooks are counted by reason', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  t.same(await countPutAside(databases.read), { failed: 0, unknownNumber: 0 })
})
