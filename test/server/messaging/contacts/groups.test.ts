import t from 'tap'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

t.test('a contact that arrived as a group stays a group under any name, and no other contact is one', async t => {
  const stage = await anInbox()
  const ofGroup = { body: { type: 'text', text: 'a todos' }, groupId: 'g1', opensWindow: false } as const
  await stage.apply(
    aMessage({ ...ofGroup, sender: { other: 'group g1', profileName: 'Familia' } }),
    aMessage({ sender: { other: 'unknown g2', profileName: 'Grupo de lectura' }, opensWindow: false }),
    aMessage({ sender: { waId: '5491155550177', profileName: 'Grupo Sur' } }),
  )
  const groups = async () =>
    (await stage.inbox.listConversations(stage.ana.member, { query: {} })).items
      .filter(({ group }) => group)
      .map(({ name }) => name)
  t.same(await groups(), ['Familia'])
  await stage.apply(aMessage({ ...ofGroup, sender: { other: 'group g1', profileName: 'Grupo Norte' } }))
  t.equal((await groups()).length, 1)
})
