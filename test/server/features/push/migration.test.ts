import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { anOldDatabase } from '#test/helpers/old-database.ts'

t.test('what had to be pushed before pushes were jobs is pushed still, once to each browser', async t => {
  const old = await anOldDatabase(t, '20261122T0510')
  const { databases } = old
  const ana = await aMember({ databases })
  const at = '2026-11-20T12:00:00.000Z'
  const dueAt = '2026-11-20T12:00:08.000Z'
  await old.insert('notification', {
    id: 'n1',
    place: 'n1',
    org_id: ana.org.id,
    user_id: ana.user.id,
    old_title: 'Hola',
    old_message: '',
    created_at: at,
  })
  for (const id of ['phone', 'desk'])
    await old.insert('push_subscription', {
      id,
      user_id: ana.user.id,
      session_id: ana.person.sessionId,
      endpoint: `https://push.example.com/${id}`,
      p256dh: '',
      auth: '',
      created_at: at,
    })
  const delivery = { org_id: ana.org.id, notification_id: 'n1', created_at: at, due_at: dueAt }
  await old.insert('push_delivery', { ...delivery, subscription_id: 'phone', attempts: 2 })
  await old.insert('push_delivery', { ...delivery, subscription_id: 'desk', attempts: 0 })
  await old.insert('push_delivery', { ...delivery, subscription_id: 'desk', attempts: 0 })
  await old.upgrade()
  const common = {
    kind: 'push',
    org_id: ana.org.id,
    pace_key: ana.user.id,
    state: 'scheduled',
    due_at: dueAt,
    added_at: at,
  }
  t.match(await old.jobs(), [
    { ...common, unique_key: 'n1 phone', order_key: 'browser phone', attempts: 2 },
    {
      ...common,
      unique_key: 'n1 desk',
      queue: `push/1/${ana.org.id}/${ana.user.id}`,
      payload: '{"notificationId":"n1","subscriptionId":"desk"}',
      attempts: 0,
    },
  ])
  t.equal((await old.jobs()).length, 2)
})
