import { QueryClient } from '@tanstack/react-query'
import t from 'tap'
import { FreshQueryClient } from '#client/app/queries/fresh-query-client.ts'
import { changeMessage, placeConversation, placeMessage, placeSentMessage } from '#client/inbox/placing.ts'
import {
  conversationQuery,
  conversationsQuery,
  foundQuery,
  messagesQuery,
  refreshWaiting,
} from '#client/inbox/queries.ts'
import { aroundQuery } from '#client/inbox/thread/around.ts'
import { unreadQuery } from '#client/shell/sidebar/unread-count.ts'
import type { Conversation, ConversationPage } from '#shared/inbox/conversations.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'

const phone = '5491155550001'
const { queryKey } = messagesQuery('pan', phone)

const aMessage = (facts: Partial<Message> = {}): Message => ({
  id: 'm1',
  clientKey: 'k1',
  wamid: null,
  direction: 'out',
  type: 'text',
  text: 'Hola',
  at: '2026-11-20T12:00:00.000Z',
  status: 'queued',
  ...facts,
})

const aPage = (...items: Message[]): MessagePage => ({ items, page: 1, pageSize: 50, hasMore: false }) as MessagePage

const aClient = (...items: Message[]) => {
  const client = new QueryClient()
  t.teardown(() => client.clear())
  client.setQueryData(queryKey, { pages: [aPage(...items)], pageParams: [''] })
  const shown = () => client.getQueryData<{ pages: MessagePage[] }>(queryKey)?.pages.flatMap(({ items }) => items)
  return { client, shown }
}

t.test('the response to a send never undoes what an event has updated meanwhile', async t => {
  const { client, shown } = aClient()
  placeMessage(client, 'pan', phone, aMessage())
  changeMessage(client, 'pan', phone, 'm1', message => ({ ...message, unconfirmed: true }))
  placeSentMessage(client, 'pan', phone, aMessage())
  t.match(shown(), [{ id: 'm1', unconfirmed: true }])
})

t.test('an event is applied without scanning the whole cache', async t => {
  const timesNamed = (others: number) => {
    const client = new FreshQueryClient()
    t.teardown(() => client.clear())
    for (let i = 0; i < others; i += 1) client.setQueryData(['pan', i], i)
    let times = 0
    const toJSON = () => {
      times += 1
      return 'an event'
    }
    client.setQueryData(['pan', { toJSON }], 'its data')
    return times
  }
  t.equal(timesNamed(50), timesNamed(1))
})

t.test('the response to a send is shown if no event arrived', async t => {
  const { client, shown } = aClient()
  placeSentMessage(client, 'pan', phone, aMessage())
  t.match(shown(), [{ id: 'm1', status: 'queued' }])
})

t.test('a response in progress when an event arrived is requested again', async t => {
  const { client, shown } = aClient(aMessage())
  const answers = [aMessage(), aMessage({ status: 'failed' })]
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  let asked = 0
  client.setQueryDefaults(queryKey, {
    queryFn: async () => {
      const message = answers[asked++] as Message
      await arrived
      return { pages: [aPage(message)], pageParams: [1] }
    },
  })
  const first = client.fetchQuery({ queryKey })
  changeMessage(client, 'pan', phone, 'm1', message => ({ ...message, status: 'failed' }))
  arrive()
  await first
  for (let i = 0; i < 50 && asked < 2; i += 1) await new Promise(resolve => setTimeout(resolve, 10))
  // The query is not shown here: it becomes stale and is requested when shown.
  t.equal(client.getQueryState(queryKey)?.isInvalidated, true)
  await client.fetchQuery({ queryKey })
  t.equal(asked, 2)
  t.match(shown(), [{ id: 'm1', status: 'failed' }])
})

t.test('a conversation with a message during the list request is in the next list', async t => {
  const { client } = aClient()
  const { queryKey } = conversationsQuery('pan', { archived: false, search: '' }, 'ana')
  const row = { id: 'c1', phone, archived: false, lastMessage: null } as unknown as Conversation
  const page = (items: Conversation[]): ConversationPage => ({ items, page: 1, pageSize: 30, hasMore: false })
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  const queryFn = async () => {
    await arrived
    return { pages: [page([])], pageParams: [1] }
  }
  const first = client.fetchQuery({ queryKey, queryFn })
  placeConversation(client, 'pan', row)
  arrive()
  await first
  await new Promise(resolve => setImmediate(resolve))
  t.equal(client.getQueryState(queryKey)?.isInvalidated, true)
})

t.test('a conversation that changed during its own request is requested again', async t => {
  const { client } = aClient()
  const { queryKey } = conversationQuery('pan', phone)
  const row = { id: 'c1', phone, archived: false, lastMessage: null, assignee: null } as unknown as Conversation
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  const first = client.fetchQuery({ queryKey, queryFn: () => arrived.then(() => row) })
  placeConversation(client, 'pan', { ...row, assignee: { id: 'ana', name: 'Ana' } })
  arrive()
  await first
  await new Promise(resolve => setImmediate(resolve))
  t.equal(client.getQueryState(queryKey)?.isInvalidated, true)
})

t.test('when a number is paused, conversations with queued messages are requested again, no others', async t => {
  const client = new QueryClient()
  t.teardown(() => client.clear())
  const other = messagesQuery('pan', '5491155550002').queryKey
  client.setQueryData(queryKey, { pages: [aPage(aMessage())], pageParams: [''] })
  client.setQueryData(other, { pages: [aPage(aMessage({ status: 'sent' }))], pageParams: [''] })
  refreshWaiting(client, 'pan')
  t.equal(client.getQueryState(queryKey)?.isInvalidated, true)
  t.equal(client.getQueryState(other)?.isInvalidated, false)
})

t.test('the unread count changes with a known conversation, and is requested for an unknown one', async t => {
  const client = new QueryClient()
  t.teardown(() => client.clear())
  const row = (facts: Partial<Conversation>) =>
    ({ id: 'k1', phone, unread: 0, archived: false, lastMessage: null, ...facts }) as Conversation
  const counted = () => client.getQueryData(unreadQuery('pan').queryKey)?.conversations
  placeConversation(client, 'pan', row({ unread: 1 }))
  t.equal(counted(), undefined, 'nobody has asked yet')
  client.setQueryData(unreadQuery('pan').queryKey, { conversations: 7 })
  placeConversation(client, 'pan', row({ unread: 2 }))
  t.equal(counted(), 7)
  placeConversation(client, 'pan', row({ unread: 0 }))
  t.equal(counted(), 6)
  placeConversation(client, 'pan', row({ unread: 0 }))
  t.equal(counted(), 6)
  placeConversation(client, 'pan', row({ unread: 1, archived: true }))
  t.equal(counted(), 6)
  placeConversation(client, 'pan', row({ unread: 1 }))
  t.equal(counted(), 7)
  placeConversation(client, 'pan', row({ id: 'k2', phone: '5491155550002', unread: 1 }))
  t.equal(counted(), 7, 'it may have been unread before')
})

t.test('a row updates only the list of its own number, and the page of its own address', async t => {
  const client = new QueryClient()
  t.teardown(() => client.clear())
  const listOf = (number?: string) => conversationsQuery('pan', { archived: false, search: '', number }, 'ana').queryKey
  const [ours, others] = ['5491150000001', '5491150000002']
  for (const key of [listOf(), listOf(ours), listOf(others)])
    client.setQueryData(key, { pages: [{ items: [], page: 1, pageSize: 30, hasMore: false }], pageParams: [1] })
  const row = { id: 'c1', phone, archived: false, number: ours, lastMessage: null } as unknown as Conversation
  placeConversation(client, 'pan', row)
  const shown = (key: readonly unknown[]) =>
    client.getQueryData<{ pages: ConversationPage[] }>(key)?.pages.flatMap(({ items }) => items.map(({ id }) => id))
  t.same([shown(listOf()), shown(listOf(ours)), shown(listOf(others))], [['c1'], ['c1'], []])
  t.equal(client.getQueryData(conversationQuery('pan', 'c1').queryKey), row)
  t.equal(client.getQueryData(conversationQuery('pan', phone).queryKey), undefined)
})

t.test('a changed row appears in each filtered list it matches, and in no other', async t => {
  const { client } = aClient()
  const page = (items: Conversation[]): ConversationPage => ({ items, page: 1, pageSize: 30, hasMore: false })
  const row = (facts: Partial<Conversation>) =>
    ({
      id: 'c1',
      phone,
      archived: false,
      unread: 0,
      control: 'human',
      assignee: null,
      windowClosesAt: null,
      tags: [],
      lastMessage: { text: '', type: 'text', at: '2026-11-20T12:00:00.000Z', direction: 'in', status: 'received' },
      ...facts,
    }) as Conversation
  const vip = { id: 'vip', label: 'VIP', hue: 0 }
  const lists = {
    unread: { unread: true },
    needsHuman: { needsHuman: true },
    failed: { failed: true },
    mine: { assignee: 'me' },
    nobodys: { assignee: 'none' },
    tagged: { tags: ['vip'] },
    closing: { closing: true },
  } as const
  const keyOf = (name: keyof typeof lists) =>
    conversationsQuery('pan', { archived: false, search: '', ...lists[name] }, 'ana').queryKey
  const listed = () =>
    (Object.keys(lists) as (keyof typeof lists)[]).filter(name =>
      client.getQueryData<{ pages: ConversationPage[] }>(keyOf(name))?.pages[0]?.items.some(({ id }) => id === 'c1'),
    )
  const refill = (items: Conversation[] = []) => {
    for (const name of Object.keys(lists) as (keyof typeof lists)[])
      client.setQueryData(keyOf(name), { pages: [page(items)], pageParams: [1] })
  }
  const placed = (facts: Partial<Conversation>) => {
    refill()
    placeConversation(client, 'pan', row(facts))
    return listed()
  }
  t.same(placed({ unread: 2 }), ['unread', 'nobodys'])
  t.same(placed({ control: 'needsHuman', tags: [vip] }), ['needsHuman', 'nobodys', 'tagged'])
  t.same(placed({ assignee: { id: 'ana', name: 'Ana' } }), ['mine'])
  t.same(placed({ assignee: { id: 'luis', name: 'Luis' } }), [])
  const failed = { text: '', type: 'text', at: '', direction: 'out', status: 'failed' } as const
  t.same(placed({ lastMessage: failed, archived: true }), [])
  t.same(placed({ lastMessage: failed }), ['failed', 'nobodys'])

  const windowClosesAt = '2026-11-20T13:00:00.000Z'
  refill([row({ unread: 1, windowClosesAt })])
  placeConversation(client, 'pan', row({ windowClosesAt }))
  t.same(listed(), ['unread', 'nobodys', 'closing'], 'what was just read stays where it is read')
  t.equal(client.getQueryState(keyOf('unread'))?.isInvalidated, true, 'until it is asked again')
  placeConversation(client, 'pan', row({ unread: 1, windowClosesAt: '2026-11-21T13:00:00.000Z' }))
  t.same(listed(), ['unread', 'nobodys'], 'the customer wrote: the window is another one')
})

t.test('a conversation among search results shows its new state in place', async t => {
  const { client } = aClient()
  const row = (id: string, unread: number) =>
    ({ id, phone: id, archived: false, unread, lastMessage: null }) as unknown as Conversation
  const { queryKey } = foundQuery('pan', 'torta')
  const found = (id: string, conversation: Conversation) => ({ id, conversation, snippet: [] })
  const page = {
    items: [found('m1', row('5491', 1)), found('m2', row('5492', 2))],
    conversations: [row('5492', 2), row('5491', 1)],
  }
  client.setQueryData(queryKey, { pages: [page], pageParams: [''] } as never)
  placeConversation(client, 'pan', row('5491', 0))
  t.match(client.getQueryData(queryKey), {
    pages: [
      {
        items: [{ conversation: { id: '5491', unread: 0 } }, { conversation: { id: '5492', unread: 2 } }],
        conversations: [
          { id: '5492', unread: 2 },
          { id: '5491', unread: 0 },
        ],
      },
    ],
  })
})

t.test('a changed message is updated in pages around a search result, and requested again if it waits', t => {
  const { client } = aClient()
  const key = aroundQuery('pan', phone, 'm1').queryKey
  client.setQueryData(key, aPage(aMessage({ id: 'm0', clientKey: 'k0', status: 'sent' }), aMessage()))
  refreshWaiting(client, 'pan')
  t.equal(client.getQueryState(key)?.isInvalidated, true)
  changeMessage(client, 'pan', phone, 'm1', message => ({ ...message, status: 'failed' }))
  placeMessage(client, 'pan', phone, aMessage({ id: 'm0', clientKey: 'k0', text: 'Chau' }))
  t.match(client.getQueryData(key)?.items, [
    { id: 'm0', text: 'Chau' },
    { id: 'm1', status: 'failed' },
  ])
  t.end()
})

t.test('a message older than everything loaded appears with its page, not before', t => {
  const { client, shown } = aClient(aMessage())
  client.setQueryData(queryKey, { pages: [{ ...aPage(aMessage()), hasMore: true }], pageParams: [''] })
  const older = aMessage({ id: 'm0', clientKey: 'k0', at: '2026-11-19T12:00:00.000Z' })
  placeMessage(client, 'pan', phone, older)
  t.match(shown(), [{ id: 'm1' }])
  client.setQueryData(queryKey, { pages: [aPage(aMessage())], pageParams: [''] })
  placeMessage(client, 'pan', phone, older)
  t.match(shown(), [{ id: 'm0' }, { id: 'm1' }])
  t.end()
})

t.test('a bulk message moves no conversation, as on the server', async t => {
  const { client } = aClient()
  const { queryKey } = conversationsQuery('pan', { archived: false, search: '' }, 'ana')
  const row = (id: string, at: string, facts: Partial<Conversation> = {}) =>
    ({
      id,
      phone: id,
      archived: false,
      unread: 1,
      tags: [],
      assignee: null,
      lastMessage: { text: '', type: 'text', at, direction: 'out', status: 'sent' },
      ...facts,
    }) as unknown as Conversation
  const sentTo = row('sent', '2026-11-20T16:00:00.000Z', { activityAt: '2026-11-20T12:00:00.000Z' })
  const items = [row('late', '2026-11-20T14:00:00.000Z'), row('early', '2026-11-20T13:00:00.000Z'), sentTo]
  client.setQueryData(queryKey, { pages: [{ items, page: 1, pageSize: 30, hasMore: false }], pageParams: [1] })
  placeConversation(client, 'pan', { ...sentTo, unread: 0 })
  t.same(
    client.getQueryData<{ pages: ConversationPage[] }>(queryKey)?.pages[0]?.items.map(({ id, unread }) => [id, unread]),
    [
      ['late', 1],
      ['early', 1],
      ['sent', 0],
    ],
    'read, it stays where it is',
  )
})

t.test('changed rows at the end of what is loaded stay in the list, unless they move back', async t => {
  const client = new QueryClient()
  t.teardown(() => client.clear())
  const row = (n: number, hour = n) =>
    ({
      ...{ id: `c${n}`, phone: `54911555500${n}`, archived: false, unread: 1, control: 'bot', tags: [] },
      lastMessage: { type: 'text', text: 'Hola', at: `2026-11-20T${10 + hour}:00:00.000Z`, direction: 'in' },
    }) as unknown as Conversation
  const { queryKey } = conversationsQuery('pan', { archived: false, search: '' }, 'ana')
  const page = { items: [row(3), row(2), row(1)], page: 1, pageSize: 3, hasMore: true } as ConversationPage
  client.setQueryData(queryKey, { pages: [page], pageParams: [1] })
  const listed = () =>
    client
      .getQueryData<{ pages: ConversationPage[] }>(queryKey)
      ?.pages.flatMap(({ items }) => items.map(({ id }) => id))
      .join(' ')
  for (const n of [1, 2, 3]) placeConversation(client, 'pan', { ...row(n), unread: 2 })
  t.equal(listed(), 'c3 c2 c1', 'the oldest first, as a job changes them')
  placeConversation(client, 'pan', row(2, 0))
  t.equal(listed(), 'c3 c1', 'rows that are not loaded may stand before it')
})
