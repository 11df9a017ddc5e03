import t from 'tap'
import { seesSome } from '#server/identity/visibility/scope.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

const phone = '5491155551234'
const params = { phone }
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString()

const written = async () => {
  const stage = await anInbox()
  const { member } = stage.ana
  await stage.apply(aMessage({ sender: { waId: phone, bsuid: 'AR.1', profileName: 'Lucía G.' }, at: at(0) }))
  const get = () => stage.contacts.getContact(member, { params })
  const rename = async (name: string | null) => stage.contacts.changeContact(member, { params, body: { name } })
  const found = async (search: string) =>
    (await stage.inbox.listConversations(member, { query: { search } })).items.map(({ name }) => name)
  return { stage, member, get, rename, found }
}

t.test('a contact has its names, its identifiers and its conversations', async t => {
  const { stage, get } = await written()
  await stage.apply(
    aMessage({ sender: { waId: '541155551234', username: 'lu.g', profileName: 'Lucía G.' }, at: at(1) }),
  )
  t.match(await get(), {
    name: null,
    profileName: 'Lucía G.',
    identifiers: [
      { kind: 'phone', value: '541155551234', shown: '+54 11 5555 1234' },
      { kind: 'bsuid', value: 'AR.1', shown: 'AR.1' },
      { kind: 'username', value: 'lu.g', shown: '@lu.g' },
    ],
    conversations: [{ name: 'Lucía G.', unread: 2 }],
  })
})

t.test('the organization’s name for a contact is shown and found, and WhatsApp does not overwrite it', async t => {
  const { stage, member, get, rename, found } = await written()
  t.match(await rename('  Lucía   del 5º B '), { name: 'Lucía del 5º B', conversations: [{ name: 'Lucía del 5º B' }] })
  t.same(await found('5º B'), ['Lucía del 5º B'])
  await stage.apply(aMessage({ sender: { waId: phone, profileName: 'Lu ✨' }, at: at(2) }))
  t.match(await get(), { name: 'Lucía del 5º B', profileName: 'Lu ✨' })
  t.match(await stage.inbox.getChatName(member, { params }), { name: 'Lucía del 5º B' })
  t.same(await found('lu ✨'), ['Lucía del 5º B'])
})

t.test(
  'after the organization’s name is removed the contact has its WhatsApp name again and is not found by the old one',
  async t => {
    const { member, stage, rename, found } = await written()
    await rename('Vecina')
    t.match(await rename(null), { name: null, conversations: [{ name: 'Lucía G.' }] })
    t.same(await found('vecina'), [])
    t.match(await stage.inbox.getChatName(member, { params }), { name: 'Lucía G.' })
  },
)

t.test('every conversation of the contact gets one event for a new name and none for the same name again', async t => {
  const { stage, member, rename } = await written()
  const phoneNumberId = 'second'
  await stage.connect()
  await stage.connect('5491150000001', { phoneNumberId })
  await stage.apply(aMessage({ sender: { waId: phone }, at: at(3), phoneNumberId }))
  const before = stage.events.length
  await rename('Vecina')
  const emitted = stage.events.slice(before)
  t.same(
    emitted.map(({ type }) => type),
    ['conversation', 'conversation'],
  )
  await rename(' Vecina ')
  t.equal(stage.events.length, before + 2)
  const { conversations } = await stage.contacts.getContact(member, { params })
  t.equal(conversations.length, 2)
})

t.test('a name without visible characters is refused by its field and changes nothing', async t => {
  const { get, rename } = await written()
  for (const name of ['\u2800', '\u200b', 'a\u202eb', '\u0007'])
    await t.rejects(rename(name), { code: 'APP_VALIDATION', faults: [{ field: 'body.name' }] }, JSON.stringify(name))
  t.match(await get(), { name: null })
})

t.test('a note without visible characters is refused by its field', async t => {
  const { stage, member, get } = await written()
  await t.rejects(async () => stage.contacts.changeContact(member, { params, body: { note: '\u200b \u2060' } }), {
    code: 'APP_VALIDATION',
    faults: [{ field: 'body.note', code: 'required' }],
  })
  t.match(await get(), { note: null })
})

t.test('a member who may not see the conversation cannot read or rename the contact', async t => {
  const { stage, member, get } = await written()
  const blind = { ...member, scope: seesSome({ tagIds: [], assigneeId: null }) }
  const refusal = { code: 'INBOX_CHAT_NOT_FOUND', status: 404 }
  await t.rejects(async () => stage.contacts.getContact(blind, { params }), refusal)
  await t.rejects(async () => stage.contacts.changeContact(blind, { params, body: { name: 'X' } }), refusal)
  t.match(await get(), { name: null })
})

t.test('a member who may see one conversation of a contact sees only that one', async t => {
  const { stage, member } = await written()
  const phoneNumberId = 'second'
  await stage.connect()
  await stage.connect('5491150000001', { phoneNumberId })
  await stage.apply(aMessage({ sender: { waId: phone }, at: at(3), phoneNumberId }))
  const { conversations } = await stage.contacts.getContact(member, { params })
  const [mine] = conversations
  await stage.databases.write
    .updateTable('conversation')
    .set({ assignee_id: member.userId })
    .where('id', '=', mine?.id ?? '')
    .execute()
  const limited = { ...member, scope: seesSome({ tagIds: [], assigneeId: member.userId }) }
  t.same(
    (await stage.contacts.getContact(limited, { params })).conversations.map(({ id }) => id),
    [mine?.id],
  )
})

t.test('another organization cannot read the contact', async t => {
  const { stage, get } = await written()
  const other = await anInbox(stage)
  const refusal = { code: 'INBOX_CHAT_NOT_FOUND', status: 404 }
  await t.rejects(async () => other.contacts.getContact(other.ana.member, { params }), refusal)
  await t.rejects(async () => other.contacts.changeContact(other.ana.member, { params, body: { name: 'X' } }), refusal)
  t.match(await get(), { name: null })
})
