import t from 'tap'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'
import { envelope, itemsOf, metaJson } from '#test/helpers/webhooks.ts'

const phone = '5491155551234'
const stamp = (second: number) => String(Date.UTC(2026, 10, 20, 12, 0, second) / 1000)
const at = (second: number) => new Date(Number(stamp(second)) * 1000).toISOString()

const post = async (stage: AnInbox, field: string, value: object) =>
  stage.apply(...itemsOf(metaJson(envelope(value, undefined, field)), at(59)))

/** One change of the phone's address book, as Meta sends it. */
const inBook =
  (stage: AnInbox) => (second: number, action: 'add' | 'edit' | 'remove', contact: Readonly<Record<string, string>>) =>
    post(stage, 'smb_app_state_sync', {
      state_sync: [
        {
          type: 'contact',
          contact: { phone_number: phone, ...contact },
          action,
          metadata: { timestamp: stamp(second) },
        },
      ],
    })

const aChat = async () => {
  const stage = await anInbox()
  const { member } = stage.ana
  await stage.apply(aMessage({ sender: { waId: phone, profileName: 'Lu ✨' }, at: at(0) }))
  const rename = (name: string | null) => stage.contacts.changeContact(member, { params: { phone }, body: { name } })
  const names = async () => (await stage.inbox.listConversations(member, { query: {} })).items.map(({ name }) => name)
  const found = async (search: string) =>
    (await stage.inbox.listConversations(member, { query: { search } })).items.map(({ name }) => name)
  return { stage, member, book: inBook(stage), rename, names, found }
}

t.test('a customer has the name from the phone’s address book, is found by it, and open pages are updated', async t => {
  const { book, names, found } = await aChat()
  const events = await book(1, 'add', { full_name: 'Lucía  del 5º B', first_name: 'Lucía' })
  t.match(events, [{ type: 'conversation', data: { conversation: { name: 'Lucía del 5º B' } } }])
  t.same(await names(), ['Lucía del 5º B'])
  t.same(await found('5º b'), ['Lucía del 5º B'])
  t.same(await book(1, 'add', { full_name: 'Lucía  del 5º B' }), [], 'the same again is no news')
  await book(2, 'edit', { full_name: 'Lucía Méndez' })
  t.same(await names(), ['Lucía Méndez'])
  t.same(await book(1, 'add', { full_name: 'Lucía vieja' }), [], 'what came late changes nothing')
  await book(3, 'remove', {})
  t.same(await names(), ['Lu ✨'], 'their own name, as before')
  t.same(await found('mendez'), [])
})

t.test('a name entered here stays, whatever the address book says', async t => {
  const { book, names, rename } = await aChat()
  await rename('Lucía de la esquina')
  t.same(await book(1, 'add', { full_name: 'Lucía M' }), [])
  await book(2, 'remove', {})
  t.same(await names(), ['Lucía de la esquina'])
  await book(3, 'add', { first_name: 'Lucía' })
  await rename(null)
  await book(4, 'edit', { first_name: 'Lucía B' })
  t.same(await names(), ['Lucía B'], 'taken back, it is the address book’s again')
  await rename('Lucía de la esquina')
  await book(5, 'edit', { first_name: 'Lucía C' })
  t.same(await names(), ['Lucía de la esquina'])
})

t.test('an address book entry without messages is not listed, and its name is used once they write', async t => {
  const { stage, member, book, names } = await aChat()
  await book(1, 'add', {
    phone_number: '5491155557777',
    full_name: 'Pablo Morales',
    user_id: 'AR.55551208655302741918',
  })
  await book(1, 'remove', { phone_number: '5491155558888' })
  t.same(await names(), ['Lu ✨'])
  await stage.apply(aMessage({ sender: { waId: '5491155557777', profileName: 'pablito' }, at: at(5) }))
  t.same(await names(), ['Pablo Morales', 'Lu ✨'])
  const params = { phone: '5491155557777' }
  t.match(await stage.contacts.getContact(member, { params }), {
    identifiers: [{ kind: 'phone' }, { kind: 'bsuid', value: 'AR.55551208655302741918' }],
  })
})

t.test('a group has its own subject as name, also after the next message in it', async t => {
  const { stage, names } = await aChat()
  const say = (second: number) =>
    stage.apply(
      aMessage({
        sender: { other: 'group g123456', profileName: 'Grupo 123456' },
        body: { type: 'text', text: 'a todos', content: { group: { from: 'Ana' } } },
        groupId: 'g123456',
        at: at(second),
      }),
    )
  await say(1)
  t.same((await names())[0], 'Grupo 123456')
  const group = { group_id: 'g123456', timestamp: stamp(2) }
  await post(stage, 'group_lifecycle_update', { groups: [{ ...group, type: 'group_create', subject: 'Pedidos' }] })
  t.same((await names())[0], 'Pedidos')
  const refused = { text: 'Otra cosa', update_successful: false }
  await post(stage, 'group_settings_update', { groups: [{ ...group, timestamp: stamp(3), group_subject: refused }] })
  t.same((await names())[0], 'Pedidos')
  const taken = { text: 'Pedidos del sábado', update_successful: true }
  await post(stage, 'group_settings_update', { groups: [{ ...group, timestamp: stamp(4), group_subject: taken }] })
  await say(5)
  t.same((await names())[0], 'Pedidos del sábado')
})

t.test('an entry that is malformed, has no number or no visible name changes nothing', async t => {
  const { stage, book, names } = await aChat()
  t.same(await book(1, 'add', { full_name: '\u2800' }), [])
  t.same(await book(1, 'add', {}), [])
  t.same(await post(stage, 'smb_app_state_sync', { state_sync: [7, {}, { type: 'label' }] }), [])
  t.same(await post(stage, 'group_lifecycle_update', { groups: [{ group_id: 'g1', type: 'group_delete' }, null] }), [])
  t.same(await names(), ['Lu ✨'])
})
