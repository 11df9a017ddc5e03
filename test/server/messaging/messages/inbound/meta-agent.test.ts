import t from 'tap'
import type { Message } from '#shared/inbox/messages.ts'
import { graphOf, onHello } from '#test/helpers/flow-stage.ts'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import {
  aMessage,
  anEcho,
  anIdentity,
  aReaction,
  aStatus,
  aWamid,
  itemScope,
  lucia,
  text,
} from '#test/helpers/items.ts'

const phone = lucia.waId as string
const row = async (stage: AnInbox, query = {}) =>
  (await stage.inbox.listConversations(stage.ana.member, { query })).items[0]
const thread = async (stage: AnInbox): Promise<Message[]> =>
  (await stage.inbox.listMessages(stage.ana.member, { params: { phone }, query: {} })).items
const agentBody = (words: string) => ({ ...text(words), content: { metaAgent: true } })
const toAgent = (words: string, at = '2026-11-20T12:59:00.000Z') =>
  aMessage({ at, standby: true, body: agentBody(words) })
const byAgent = (words: string, at = '2026-11-20T12:59:10.000Z') =>
  anEcho({ at, standby: true, body: agentBody(words) })
const handover = (to: 'people' | 'metaAgent', at = '2026-11-20T12:59:30.000Z', note = '') => ({
  ...itemScope,
  kind: 'handover' as const,
  at,
  sender: { waId: phone },
  to,
  note,
})

t.test('messages to and from Meta’s agent are in the thread and notify nobody', async t => {
  const stage = await anInbox()
  const reply = byAgent('A las 9')
  const drafts = await stage.apply(
    toAgent('¿A qué hora abren?'),
    reply,
    aStatus({ wamid: reply.wamid, status: 'read' }),
  )
  t.match(await row(stage), { control: 'metaAgent', unread: 1, windowClosesAt: '2026-11-21T12:59:00.000Z' })
  t.match(await thread(stage), [
    { direction: 'in', text: '¿A qué hora abren?', metaAgent: true },
    { direction: 'out', text: 'A las 9', metaAgent: true, author: { kind: 'metaAgent' }, status: 'read' },
  ])
  t.same(stage.notices, [])
  t.notOk(drafts.some(({ type }) => type === 'human'))
  t.match(drafts[0]?.data, { conversation: { control: 'metaAgent' } }, 'open tabs see who has it')
})

t.test(
  'the list can be filtered to the agent’s conversations, and its part of the list and statistics count them',
  async t => {
    const stage = await anInbox()
    await stage.apply(toAgent('Hola'))
    await stage.apply(aMessage({ sender: { waId: '5491155550111' } }))
    t.match(await row(stage, { metaAgent: true }), { phone })
    t.match(await row(stage, { needsHuman: true }), { phone: '5491155550111' })
    const parts = await stage.inbox.countLanes(stage.ana.member, { query: {} })
    t.match(parts, { metaAgent: { count: 1 }, needsHuman: { count: 1 } })
  },
)

t.test('no flow runs for messages to the agent; flows run again for messages that come the usual way', async t => {
  const stage = await anInbox()
  await stage.connect()
  const { member } = stage.ana
  const { flows } = stage.parts.services
  const graph = graphOf([{ id: 'm', type: 'message', text: 'bienvenida' }], [['s', 'next', 'm']])
  const { id } = await flows.create(member, { body: { name: 'Bienvenida', graph, triggers: onHello } })
  await flows.publish(member, { params: { id }, body: { revision: 1 } })
  const begun = async () => (await thread(stage)).filter(({ activity }) => activity?.kind === 'botStarted')
  await stage.apply(toAgent('hola'))
  t.equal((await begun()).length, 0)
  await stage.apply(aMessage({ words: 'hola', at: '2026-11-20T12:59:20.000Z' }))
  t.match(await begun(), [{ activity: { by: { kind: 'bot', id, name: 'Bienvenida' } } }])
  t.match(await row(stage), { control: 'bot' })
})

t.test(
  'a person’s answer takes the conversation over, and earlier messages that arrive late do not give it back',
  async t => {
    const stage = await anInbox()
    await stage.connect()
    await stage.apply(toAgent('Quiero hablar con alguien'))
    stage.clock.advance(1000)
    await stage.inbox.sendMessage(stage.ana.member, {
      body: { numberTel: phone, message: 'Soy Ana', type: 'text' },
    })
    t.match(await row(stage), { control: 'human' })
    await stage.apply(toAgent('se cruzó', '2026-11-20T12:59:59.000Z'))
    t.match(await row(stage), { control: 'human' })
    await stage.apply(byAgent('sigo yo', '2026-11-20T13:10:00.000Z'))
    t.match(await row(stage), { control: 'metaAgent' }, 'Meta says who has it')
  },
)

t.test('a handover notifies once, however often it is received, and appears in the thread', async t => {
  const stage = await anInbox()
  await stage.apply(toAgent('Quiero cambiar el talle'))
  const passed = handover('people', undefined, 'Quiere cambiar el talle del pedido 4711.')
  const drafts = await stage.apply(passed)
  t.match(
    drafts.filter(({ type }) => type === 'human'),
    [{ data: { number: phone, reason: 'handedOver' } }],
  )
  t.equal(stage.notices.length, 1)
  t.match(stage.notices, [{ userId: stage.ana.user.id, redirect: `/${phone}` }])
  t.match(await row(stage), { control: 'needsHuman' })
  t.match((await thread(stage)).at(-1), {
    type: 'system',
    text: 'Quiere cambiar el talle del pedido 4711.',
    news: { kind: 'agentLeft' },
  })
  t.same(await stage.apply(passed), [], 'the same webhook again')
  await stage.apply(toAgent('tarde', '2026-11-20T12:59:20.000Z'))
  t.match(await row(stage), { control: 'needsHuman' }, 'what was said before the handover and comes after it')
})

t.test('a handover of an unknown conversation creates it', async t => {
  const stage = await anInbox()
  await stage.apply(handover('people'))
  t.match(await row(stage), { phone, control: 'needsHuman' })
  t.equal(stage.notices.length, 1)
})

t.test('a handover of an assigned conversation notifies too', async t => {
  const stage = await anInbox()
  await stage.apply(toAgent('Hola'))
  await stage.inbox.assignChat(stage.ana.member, { params: { phone }, body: { userId: stage.ana.user.id } })
  await stage.apply(byAgent('Sigo', '2026-11-20T13:00:10.000Z'))
  t.match(await row(stage), { control: 'metaAgent', assignee: { id: stage.ana.user.id } })
  stage.clock.advance(20_000)
  const drafts = await stage.apply(handover('people', '2026-11-20T13:00:15.000Z'))
  t.ok(drafts.some(({ type }) => type === 'human'))
})

t.test('a reaction to the agent notifies nobody', async t => {
  const stage = await anInbox()
  const reply = byAgent('A las 9')
  await stage.apply(toAgent('¿A qué hora?'), reply)
  await stage.apply(aReaction({ targetWamid: reply.wamid, standby: true, opensWindow: true }))
  t.match(await row(stage), { control: 'metaAgent' })
  t.same(stage.notices, [])
})

t.test('the business hands a conversation to the agent', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage())
  await stage.apply(handover('metaAgent', '2026-11-20T13:00:30.000Z'))
  t.match(await row(stage), { control: 'metaAgent' })
  t.match((await thread(stage)).at(-1), { news: { kind: 'agentHas' } })
})

t.test('a history file without an owner replaces the placeholder that names one', async t => {
  const stage = await anInbox()
  const wamid = aWamid()
  const past = { past: true as const, at: '2026-11-10T13:00:00.000Z' }
  await stage.apply(
    anEcho({ ...past, wamid, body: { type: 'unsupported', text: '', content: { withheld: 'pastFile' } } }),
  )
  const media = { providerId: '24230790383178628', mime: 'audio/ogg' }
  const recipient = { other: 'unknown', profileName: 'Remitente desconocido' }
  await stage.apply(anEcho({ ...past, wamid, recipient, body: { type: 'voice', text: '', media } }))
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  t.match(items, [{ phone }])
  t.equal(items.length, 1, 'nobody new')
  t.match(await thread(stage), [{ type: 'voice', media: { state: 'pending' } }])
})

t.test('a contact without a number who changes their id stays one contact', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage())
  const current = { bsuid: 'AR.99991208655302741918' }
  await stage.apply(anIdentity({ previous: { bsuid: lucia.bsuid as string }, current, wamid: aWamid() }))
  await stage.apply(aMessage({ sender: current, at: '2026-11-20T12:59:50.000Z', words: 'Soy yo' }))
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  t.equal(items.length, 1)
  t.match(items, [{ phone, lastMessage: { text: 'Soy yo' } }])
})
