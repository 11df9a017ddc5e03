import t from 'tap'
import { anOldDatabase } from '#test/helpers/old-database.ts'
import { aConversation, anOrg } from '../outbox/stage.ts'

t.test('what had to be fetched before files were jobs is fetched still, when it was due', async t => {
  const old = await anOldDatabase(t, '20261122T0530')
  const orgId = await anOrg(old.databases)
  const conversation_id = await aConversation(old.databases, orgId)
  const at = '2026-11-20T12:00:00.000Z'
  const later = '2026-11-20T16:00:00.000Z'
  const file = async (id: string, facts: Record<string, unknown>) => {
    await old.insert('message', {
      id: `m-${id}`,
      org_id: orgId,
      conversation_id,
      direction: 'in',
      type: 'image',
      text: '',
      at,
      status: 'received',
    })
    const row = { id, org_id: orgId, message_id: `m-${id}`, provider_id: id, mime: 'image/png', created_at: at }
    await old.insert('media', { ...row, attempts: 0, ...facts })
  }
  await file('new', { state: 'pending', next_attempt_at: at })
  await file('waits', { state: 'pending', next_attempt_at: later, attempts: 2, error: 'NOT_CONNECTED' })
  await file('there', { state: 'stored', attempts: 1, path: 'x' })
  await old.upgrade()
  const common = { kind: 'media', org_id: orgId, queue: `media/1/${orgId}/`, state: 'scheduled', added_at: at }
  t.match(await old.jobs(), [
    { ...common, unique_key: 'new', payload: '{"mediaId":"new"}', attempts: 0, due_at: at, reason: null },
    { ...common, unique_key: 'waits', attempts: 2, due_at: later, reason: 'NOT_CONNECTED' },
  ])
  t.equal((await old.jobs()).length, 2)
})
