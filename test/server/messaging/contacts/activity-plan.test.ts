import t from 'tap'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { selectActivity } from '#server/messaging/contacts/activity-store.ts'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('activity is read by each conversation’s index, without sorting', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  for (const before of [undefined, { at: '2026-11-20T13:00:00.000Z', seq: 9 }]) {
    const asked = { conversationIds: ['a', 'b'], before, limit: 21 }
    const { sql, parameters } = selectActivity(databases.read, { orgId: 'o', scope: seesAll }, asked).compile()
    const plan = databases.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
    const details = plan.map(({ detail }) => detail).join('\n')
    t.equal(details.match(/message USING INDEX message_activity \(conversation_id=\?/g)?.length, 2, details)
    t.notMatch(details, /TEMP B-TREE/)
  }
})
