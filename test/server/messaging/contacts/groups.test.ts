import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'
import { anOldDatabase } from '#test/helpers/old-database.ts'

t.test('who came in as a group is one under any name, and nobody else is', async t => {
  const room = await anInbox()
  const ofGroup = { body: { type: 'text', text: 'a todos' }, groupId: 'g1', opensWindow: false } as const
  await room.apply(
    aMessage({ ...ofGroup, sender: { other: 'group g1', profileName: 'Familia' } }),
    aMessage({ sender: { other: 'unknown g2', profileName: 'Grupo de lectura' }, opensWindow: false }),
    aMessage({ sender: { waId: '5491155550177', profileName: 'Grupo Sur' } }),
  )
  const groups = async () =>
    (await room.inbox.listConversations(room.ana.member, { query: {} })).items
      .filter(({ group }) => group)
      .map(({ name }) => name)
  t.same(await groups(), ['Familia'])
  await room.apply(aMessage({ ...ofGroup, sender: { other: 'group g1', profileName: 'Grupo Norte' } }))
  t.equal((await groups()).length, 1)
})

t.test('those from before are known by how they came in', async t => {
  const old = await anOldDatabase(t, '20261201T1210')
  const { org } = await aMember({ databases: old.databases })
  const at = '2026-11-20T12:00:00.000Z'
  const came = [
    ['g', 'Grupo 123456', 'other', 'group 120363-123456'],
    ['u', 'Grupo raro', 'other', 'unknown 88'],
    ['p', 'Grupo Sur', 'phone', '5491155550177'],
  ] as const
  for (const [id, profile_name, kind, value] of came) {
    const wa_id = kind === 'phone' ? value : null
    await old.insert('contact', { id, org_id: org.id, profile_name, wa_id, search: '', created_at: at, updated_at: at })
    await old.insert('contact_identity', { org_id: org.id, kind, match_key: value, value, contact_id: id, seen_at: at })
  }
  await old.upgrade()
  t.same(await old.databases.read.selectFrom('contact').select('id').where('is_group', '=', 1).execute(), [{ id: 'g' }])
})
