import t from 'tap'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage, lucia } from '#test/helpers/items.ts'

const setUp = async () => {
  const stage = await anInbox()
  await stage.connect()
  const save = async (phone: string, name: string) =>
    stage.contacts.saveContact(stage.ana.member, { body: { phone, name } })
  const list = async (archived: boolean) =>
    (await stage.inbox.listConversations(stage.ana.member, { query: { archived } })).items
  return { stage, save, list }
}

t.test('saving a new number creates a contact without a conversation in the inbox', async t => {
  const { save, list } = await setUp()
  t.same(await save('+54 9 11 5555-0829', '  Bárbara   Suárez '), { phone: '5491155550829', created: true })
  t.same(await list(false), [])
  t.match(await list(true), [{ phone: '5491155550829', name: 'Bárbara Suárez' }])
  t.same(await save('5491155550829', 'Bárbara S.'), { phone: '5491155550829', created: false })
  const again = await list(true)
  t.match(again, [{ name: 'Bárbara S.' }])
  t.equal(again.length, 1)
})

t.test('an existing contact gets the name, and its conversation keeps its position', async t => {
  const { stage, save, list } = await setUp()
  await stage.apply(aMessage())
  t.match(await save(lucia.waId as string, 'Lucía (mayorista)'), { created: false })
  t.match(await list(false), [{ name: 'Lucía (mayorista)', control: 'needsHuman' }])
})

t.test('an invalid number, our own number and an empty name are refused', async t => {
  const { save, list } = await setUp()
  for (const phone of ['hola', '5491150000000'])
    await t.rejects(save(phone, 'X'), { code: 'APP_VALIDATION', fields: ['body.phone'] }, phone)
  await t.rejects(save('5491155550829', '\u200b'), { code: 'APP_VALIDATION', fields: ['body.name'] })
  t.same(await list(true), [])
})
