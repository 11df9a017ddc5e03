import t from 'tap'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('the notes of a conversation are read from their own index, however many messages it has', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const plan = databases.raw.read
    .prepare(
      `explain query plan select id from message where conversation_id = ? and type = 'note' and org_id = ?
       order by at desc, seq desc limit 31`,
    )
    .all(null, null) as { detail: string }[]
  t.match(plan.map(({ detail }) => detail).join('\n'), /message_notes/)
  t.notMatch(plan.map(({ detail }) => detail).join('\n'), /TEMP B-TREE/)
})
