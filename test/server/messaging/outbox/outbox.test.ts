import t from 'tap'
import { applyDelivery } from '#server/messaging/messages/delivery/delivery.ts'
import type { Db } from '#server/platform/db/database.ts'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { graphError } from '#test/helpers/graph.ts'
import { aConversation, anOrg, stage } from './stage.ts'

const send = /POST .*\/messages/
const minute = 60_000

t.test('a message is stored, sent once with its attempt as callback data, and accepted', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  const id = await s.write(s.orgId, chat, 'Hola')
  await s.outbox.idle()
  t.match(await s.message(id), { wamid: 'wamid.out1', status: 'queued', unconfirmed: 0 })
  const [attempt] = await s.attempts()
  t.match(attempt, { outcome: 'accepted', wamid: 'wamid.out1', http_status: 200 })
  t.match(s.graph.taken(), [
    { to: '5491155551234', text: { body: 'Hola' }, biz_opaque_callback_data: attempt?.callback },
  ])
  t.match(s.published, [{ type: 'status', data: { id, wamid: 'wamid.out1' } }])
  t.same(
    (await s.outboxRows()).map(row => row.state),
    ['done'],
  )
  await s.outbox.idle()
  t.equal(s.graph.requests.length, 1)
})

t.test(
  'a conversation’s messages are sent in order, whatever happens to the first; other conversations do not wait',
  async t => {
    const s = await stage(t)
    const [one, two] = [
      await aConversation(s.databases, s.orgId),
      await aConversation(s.databases, s.orgId, { to: '5491155550002' }),
    ]
    s.graph.on(send, graphError(131000, 500))
    await s.write(s.orgId, one, 'a')
    await s.outbox.idle()
    await s.write(s.orgId, one, 'b')
    await s.write(s.orgId, two, 'x')
    await s.outbox.idle()
    t.same(s.texts(), ['x'])
    s.clock.advance(1000)
    await s.outbox.idle()
    t.same(s.texts(), ['x', 'a', 'b'])
  },
)

t.test('many messages are sent concurrently, those of one conversation one after another, each once', async t => {
  const s = await stage(t)
  const open = new Map<string, number>()
  let maxOfAll = 0
  let mostOfChat = 0
  s.graph.on(
    send,
    async request => {
      const { to } = request.body as { to: string }
      const ofChat = (open.get(to) ?? 0) + 1
      open.set(to, ofChat)
      mostOfChat = Math.max(mostOfChat, ofChat)
      maxOfAll = Math.max(maxOfAll, open.size)
      await new Promise(resolve => setTimeout(resolve, 5))
      if (ofChat > 1) open.set(to, ofChat - 1)
      else open.delete(to)
      return { status: 200, body: { messages: [{ id: `wamid.${Math.random()}` }] } }
    },
    1000,
  )
  const expected: string[] = []
  for (let chat = 0; chat < 40; chat += 1) {
    const conversationId = await aConversation(s.databases, s.orgId, { to: `54911555${String(chat).padStart(5, '0')}` })
    for (let i = 0; i < 3; i += 1) {
      expected.push(`${chat}/${i}`)
      await s.write(s.orgId, conversationId, `${chat}/${i}`)
    }
  }
  await s.outbox.idle()
  t.same([...s.texts()].sort(), expected.sort())
  for (let chat = 0; chat < 40; chat += 1)
    t.same(
      s.texts().filter(text => text.startsWith(`${chat}/`)),
      [0, 1, 2].map(i => `${chat}/${i}`),
    )
  t.ok(maxOfAll > 1, `${maxOfAll} at once`)
  t.equal(mostOfChat, 1)
})

t.test('many messages of one organization do not delay another organization', async t => {
  // No request of the first organization times out while the other one is waited for.
  const s = await stage(t)
  const other = await anOrg(s.databases)
  s.status.set(other, { status: 'connected', statusReason: null })
  s.graph.on(
    send,
    request =>
      request.authorization?.includes(s.orgId) ? 'hang' : { status: 200, body: { messages: [{ id: 'wamid.other' }] } },
    1000,
  )
  for (let i = 0; i < 100; i += 1)
    await s.write(s.orgId, await aConversation(s.databases, s.orgId, { to: `54911555${i}0000` }), 'crowd')
  const id = await s.write(other, await aConversation(s.databases, other), 'hola')
  const deadline = Date.now() + 20_000
  while ((await s.message(id)).wamid === null && Date.now() < deadline)
    await new Promise(resolve => setTimeout(resolve, 10))
  t.equal((await s.message(id)).wamid, 'wamid.other')
  await s.graph.close()
  s.graph.close = async () => undefined
})

t.test('a retryable failure is retried at its time, and not for ever', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  s.graph.on(send, graphError(131000, 500), 100)
  const id = await s.write(s.orgId, chat, 'a')
  await s.outbox.idle()
  t.equal(s.graph.requests.length, 1)
  t.match(await s.message(id), { status: 'queued', unconfirmed: 0 })
  s.clock.advance(500)
  await s.outbox.idle()
  t.equal(s.graph.requests.length, 1, 'not before its time')
  for (let i = 0; i < 20; i += 1) {
    s.clock.advance(20 * minute)
    await s.outbox.idle()
  }
  t.equal(s.graph.requests.length, 4)
  t.match(await s.message(id), { status: 'failed', error_code: '131000' })
  t.same(
    (await s.attempts()).map(row => row.outcome),
    ['retry', 'retry', 'retry', 'failed'],
  )
})

t.test('the pair limit slows one customer, the number’s limit all customers of the number', async t => {
  const s = await stage(t)
  const [one, two] = [
    await aConversation(s.databases, s.orgId),
    await aConversation(s.databases, s.orgId, { to: '5491155550002' }),
  ]
  s.graph.on(send, graphError(131056, 400))
  await s.write(s.orgId, one, 'a')
  await s.outbox.idle()
  await s.write(s.orgId, two, 'b')
  await s.outbox.idle()
  t.same(s.texts(), ['b'])
  s.clock.advance(10 * minute)
  await s.outbox.idle()
  t.same(s.texts(), ['b', 'a'])
  s.graph.on(send, graphError(130429, 400))
  await s.write(s.orgId, one, 'c')
  await s.outbox.idle()
  await s.write(s.orgId, two, 'd')
  await s.outbox.idle()
  t.same(s.texts(), ['b', 'a'], 'both wait')
  s.clock.advance(10 * minute)
  await s.outbox.idle()
  t.same(s.texts().slice(2).sort(), ['c', 'd'])
})

t.test('a paused number counts from the start of the refused request, however late its response', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  const attemptedAt = s.clock.now().toISOString()
  s.graph.on(send, async () => {
    s.clock.advance(minute)
    return graphError(130429, 400)
  })
  await s.write(s.orgId, chat, 'a')
  await s.outbox.idle()
  t.match(
    s.writes.happened.filter(event => event.type === 'connection.paused'),
    [{ data: { attemptedAt } }],
  )
})

t.test('a permanent refusal fails at once with its code', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  s.graph.on(send, graphError(131047, 400, { error_data: { details: 'more than 24 hours' } }))
  const id = await s.write(s.orgId, chat, 'a')
  await s.outbox.idle()
  t.match(await s.message(id), { status: 'failed', error_code: '131047', error_detail: 'more than 24 hours' })
  t.match(s.published.at(-1), { type: 'status', data: { status: 'failed', error: { code: '131047' } } })
})

t.test('a refused token fails the message, marks the number, and stops sending until it is fixed', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  s.graph.on(send, graphError(190, 401))
  const first = await s.write(s.orgId, chat, 'a')
  await s.outbox.idle()
  t.match(await s.message(first), { status: 'failed', error_code: '190' })
  t.same(s.marks, [['reauthorise', s.orgId, '190']])
  const second = await s.write(s.orgId, chat, 'b')
  await s.outbox.idle()
  t.match(await s.message(second), { status: 'failed', error_code: '190' })
  t.equal(s.graph.requests.length, 1)
  s.status.set(s.orgId, { status: 'connected', statusReason: null })
  await s.write(s.orgId, chat, 'c')
  await s.outbox.idle()
  t.same(s.texts(), ['c'])
})

t.test('a blocked account is marked, and the first success removes the mark', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  s.graph.on(send, graphError(368, 403))
  await s.write(s.orgId, chat, 'a')
  await s.outbox.idle()
  s.status.set(s.orgId, { status: 'blocked', statusReason: '368' })
  await s.write(s.orgId, chat, 'b')
  await s.outbox.idle()
  t.same(s.marks, [
    ['blocked', s.orgId, '368'],
    ['working', s.orgId],
  ])
})

t.test('without a connection, or when it is removed, the message fails with that reason', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  s.status.delete(s.orgId)
  const first = await s.write(s.orgId, chat, 'a')
  await s.outbox.idle()
  t.match(await s.message(first), { status: 'failed', error_code: 'NOT_CONNECTED' })
  s.status.set(s.orgId, { status: 'connected', statusReason: null })
  s.graph.on(send, graphError(131000, 500))
  const [second, third] = [await s.write(s.orgId, chat, 'b'), await s.write(s.orgId, chat, 'c')]
  await s.outbox.idle()
  const drafts = await s.writes.tell(s.orgId, write => s.outbox.failQueued(write, 'number'))
  t.equal(drafts.length, 2)
  for (const id of [second, third]) t.match(await s.message(id), { status: 'failed', error_code: 'NOT_CONNECTED' })
  s.clock.advance(60 * minute)
  await s.outbox.idle()
  t.same(s.texts(), [])
})

t.test('a removed connection fails all its queued messages, in batches', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  s.graph.on(send, graphError(131000, 500))
  for (let i = 0; i < 100; i += 1) await s.write(s.orgId, chat, `old ${i}`)
  await s.outbox.idle()
  const statesOf = async (db: Db) => (await db.selectFrom('message').select('status').execute()).map(row => row.status)
  // Counted before its commit: from then on messages claimed meanwhile fail as well.
  let first = 0
  await s.writes.tell(s.orgId, async write => {
    await s.outbox.failQueued(write, 'number')
    s.status.delete(s.orgId)
    first = (await statesOf(write.db)).filter(status => status === 'failed').length
  })
  t.ok(first > 0 && first < 60, `${first} with the write itself`)
  await s.outbox.idle()
  t.same(await statesOf(s.databases.read), Array(100).fill('failed'))
})

for (const fault of ['cut', 'hang'] as const)
  t.test(
    `after ${fault === 'cut' ? 'a cut connection' : 'no response'} the message is unconfirmed, never sent again, and given up after ten minutes`,
    async t => {
      // Given up before the request existed, it would not be an unanswered request.
      const s = await stage(t, fault === 'hang' ? { timeoutMs: 1500 } : {})
      const chat = await aConversation(s.databases, s.orgId)
      s.graph.on(send, fault)
      const id = await s.write(s.orgId, chat, 'a')
      await s.outbox.idle()
      t.match(await s.message(id), { status: 'queued', unconfirmed: 1, wamid: null })
      t.match(s.published.at(-1), { type: 'status', data: { unconfirmed: true } })
      s.limit.timeoutMs = 60_000
      await s.write(s.orgId, chat, 'b')
      await s.outbox.idle()
      t.equal(s.texts().at(-1), 'b', 'what follows is not held up')
      for (let i = 0; i < 9; i += 1) {
        s.clock.advance(minute)
        await s.outbox.idle()
      }
      t.match(await s.message(id), { status: 'queued', unconfirmed: 1 })
      s.clock.advance(2 * minute)
      await s.outbox.idle()
      t.match(await s.message(id), { status: 'failed', error_code: 'UNCONFIRMED' })
      s.clock.advance(60 * minute)
      await s.outbox.idle()
      t.equal(s.graph.requests.length, 2)
    },
  )

t.test('a status that names the attempt settles an unconfirmed message, before or after it was given up', async t => {
  for (const late of [false, true]) {
    const s = await stage(t)
    const chat = await aConversation(s.databases, s.orgId)
    s.graph.on(send, 'cut')
    const id = await s.write(s.orgId, chat, 'a')
    await s.outbox.idle()
    if (late) {
      s.clock.advance(11 * minute)
      await s.outbox.idle()
    }
    const [body] = s.graph.taken()
    const status = {
      kind: 'status',
      wamid: 'wamid.real',
      status: 'delivered',
      at: '2026-11-20T13:00:05.000Z',
      callback: String(body?.biz_opaque_callback_data),
    } as const
    await s.writes.tell(s.orgId, write =>
      applyDelivery(write, { callback: status.callback }, status, { clock: s.clock }),
    )
    t.match(await s.message(id), { wamid: 'wamid.real', status: 'delivered', unconfirmed: 0, error_code: null })
    s.clock.advance(60 * minute)
    await s.outbox.idle()
    t.match(await s.message(id), { status: 'delivered' })
    t.equal(s.graph.requests.length, 1)
    t.same(
      (await s.outboxRows()).map(row => row.state),
      ['done'],
    )
  }
})

t.test('a status that arrives instead of the lost response settles the message', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  s.graph.on(send, async request => {
    const callback = String((request.body as { biz_opaque_callback_data: string }).biz_opaque_callback_data)
    const change = {
      kind: 'status',
      wamid: 'wamid.early',
      status: 'sent',
      at: '2026-11-20T13:00:00.000Z',
      callback,
    } as const
    await s.writes.tell(s.orgId, write => applyDelivery(write, { callback }, change, { clock: s.clock }))
    return 'cut' as const
  })
  const id = await s.write(s.orgId, chat, 'a')
  await s.outbox.idle()
  t.match(await s.message(id), { wamid: 'wamid.early', status: 'sent', unconfirmed: 0 })
  t.same(
    (await s.outboxRows()).map(row => row.state),
    ['done'],
  )
})

testOnSqlite(
  'killed with the request on its way: the next process waits for a status and never sends it again',
  async t => {
    const s = await stage(t)
    const chat = await aConversation(s.databases, s.orgId)
    let snapshot: Buffer | undefined
    s.graph.on(send, () => {
      snapshot = s.databases.raw.write.serialize()
      return 'cut'
    })
    const id = await s.write(s.orgId, chat, 'a')
    await s.outbox.idle()
    const heir = s.revive(openSnapshot(snapshot))
    t.match(await heir.outboxRows(), [{ state: 'inFlight' }])
    await heir.outbox.idle()
    t.match(await heir.message(id), { status: 'queued', unconfirmed: 1 })
    t.match(await heir.outboxRows(), [{ state: 'unknown' }])
    t.match(heir.published, [{ type: 'status', data: { unconfirmed: true } }])
    s.clock.advance(60 * minute)
    await heir.outbox.idle()
    t.match(await heir.message(id), { status: 'failed', error_code: 'UNCONFIRMED' })
    t.equal(s.graph.requests.length, 1)
  },
)

testOnSqlite('killed before the row was in flight: the next process sends it, once', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  s.status.delete(s.orgId)
  await s.outbox.stop()
  await s.write(s.orgId, chat, 'a')
  const snapshot = s.databases.raw.write.serialize()
  s.status.set(s.orgId, { status: 'connected', statusReason: null })
  const heir = s.revive(openSnapshot(snapshot))
  await heir.outbox.idle()
  t.same(s.texts(), ['a'])
})

t.test('stopping lets running requests finish, records them and leaves the rest queued', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  let answer: (() => void) | undefined
  s.graph.on(
    send,
    () =>
      new Promise(resolve => {
        answer = () => resolve({ status: 200, body: { messages: [{ id: 'wamid.slow' }] } })
      }),
  )
  const [first, second] = [await s.write(s.orgId, chat, 'a'), await s.write(s.orgId, chat, 'b')]
  const deadline = Date.now() + 20_000
  while (!answer && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 5))
  const stopped = s.outbox.stop()
  answer?.()
  await stopped
  t.equal((await s.message(first)).wamid, 'wamid.slow')
  t.match(await s.message(second), { status: 'queued', wamid: null })
  t.same(
    (await s.outboxRows()).map(row => row.state),
    ['done', 'queued'],
  )
})

t.test('an Argentine number that Meta does not know in one spelling is tried once in the other', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  const byForm = (code: number) => (request: { body: unknown }) =>
    (request.body as { to: string }).to.startsWith('549')
      ? graphError(code, 400)
      : ({ status: 200, body: { messages: [{ id: 'wamid.nine' }] } } as const)
  s.graph.on(send, byForm(131030), 2)
  const id = await s.write(s.orgId, chat, 'a')
  await s.outbox.idle()
  t.equal((await s.message(id)).wamid, 'wamid.nine')
  t.same(
    s.graph.requests.map(request => (request.body as { to: string }).to),
    ['5491155551234', '541155551234'],
  )

  s.graph.on(send, graphError(131030, 400), 2)
  const lost = await s.write(s.orgId, chat, 'b')
  await s.outbox.idle()
  t.match(await s.message(lost), { status: 'failed', error_code: '131030' })
  t.equal(s.graph.requests.length, 4)
})

t.test('an undeliverable number is tried in its other spelling only if the customer has never written', async t => {
  const s = await stage(t)
  s.graph.on(send, graphError(131026, 400), 10)
  const known = await s.write(s.orgId, await aConversation(s.databases, s.orgId), 'a')
  await s.outbox.idle()
  t.equal(s.graph.requests.length, 1)
  t.match(await s.message(known), { status: 'failed', error_code: '131026' })
  await s.write(s.orgId, await aConversation(s.databases, s.orgId, { to: '5491155550002', isKnown: false }), 'b')
  await s.outbox.idle()
  t.equal(s.graph.requests.length, 3)
})

t.test('a customer without a number is written to by the business-scoped id', async t => {
  const s = await stage(t)
  await s.write(s.orgId, await aConversation(s.databases, s.orgId, { bsuid: 'AR.13491208655302741918' }), 'a')
  await s.outbox.idle()
  t.match(s.graph.taken(), [{ recipient: 'AR.13491208655302741918' }])
})

t.test('a message settled otherwise while it waited is not sent', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  await s.outbox.stop()
  const id = await s.write(s.orgId, chat, 'a')
  await s.databases.write.updateTable('message').set({ wamid: 'wamid.other' }).where('id', '=', id).execute()
  const heir = s.revive(s.databases)
  await heir.outbox.idle()
  t.same(s.texts(), [])
  t.same(
    (await heir.outboxRows()).map(row => row.state),
    ['done'],
  )
})

t.test('two rows of one message send it once', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  await s.outbox.stop()
  const id = await s.write(s.orgId, chat, 'a')
  await s.writes.tell(s.orgId, write =>
    s.outbox.enqueueMessage(write, { conversationId: chat, connectionId: 'number', messageId: id }),
  )
  const heir = s.revive(s.databases)
  await heir.outbox.idle()
  t.same(s.texts(), ['a'])
})

t.test('only the newest read receipt is sent, and it is dropped quietly after a second refusal', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  const ask = async (wamid: string, kind: 'read' | 'typing' = 'read') => {
    const row = { conversationId: chat, connectionId: 'number', wamid }
    await s.writes.tell(s.orgId, write =>
      kind === 'read' ? s.outbox.enqueueReads(write, [row]) : s.outbox.enqueueTyping(write, row),
    )
  }
  await ask('wamid.1')
  await ask('wamid.2')
  await s.outbox.idle()
  t.match(s.graph.requests.map(request => request.body).at(-1), { status: 'read', message_id: 'wamid.2' })
  const before = s.graph.requests.length
  s.graph.on(send, graphError(131000, 500), 5)
  await ask('wamid.3')
  for (let i = 0; i < 5; i += 1) {
    await s.outbox.idle()
    s.clock.advance(10 * minute)
  }
  t.equal(s.graph.requests.length - before, 2)
  await ask('wamid.4', 'typing')
  for (let i = 0; i < 3; i += 1) {
    await s.outbox.idle()
    s.clock.advance(10 * minute)
  }
  t.equal(s.graph.requests.length - before, 3, 'typing is not repeated')
  t.ok((await s.outboxRows()).every(row => row.state === 'done'))
  t.same(s.published, [])
  t.same(s.log.lines('error'), [])
})

t.test('a typing indicator that cannot be sent at once is not sent', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  await s.outbox.stop()
  await s.writes.tell(s.orgId, write =>
    s.outbox.enqueueTyping(write, { conversationId: chat, connectionId: 'number', wamid: 'wamid.1' }),
  )
  s.clock.advance(26_000)
  const heir = s.revive(s.databases)
  await heir.outbox.idle()
  t.equal(s.graph.requests.length, 0)
})

t.test('a read receipt interrupted by a crash is dropped', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  await s.outbox.stop()
  await s.writes.tell(s.orgId, write =>
    s.outbox.enqueueReads(write, [{ conversationId: chat, connectionId: 'number', wamid: 'wamid.1' }]),
  )
  await s.databases.write.updateTable('job').set({ state: 'running', owner: 'dead' }).execute()
  const heir = s.revive(s.databases)
  await heir.outbox.idle()
  t.same(
    (await heir.outboxRows()).map(row => row.state),
    [],
  )
  t.equal(s.graph.requests.length, 0)
})

t.test('settled rows are deleted after a day, attempts stay', async t => {
  const s = await stage(t)
  await s.write(s.orgId, await aConversation(s.databases, s.orgId), 'a')
  await s.outbox.idle()
  t.equal(await s.outbox.prune(), 0)
  s.clock.advance(25 * 60 * minute)
  t.equal(await s.outbox.prune(), 1)
  t.equal((await s.attempts()).length, 1)
})

t.test('a message whose outcome cannot be stored delays no other and is not sent again', async t => {
  const s = await stage(t)
  const chats = [
    await aConversation(s.databases, s.orgId),
    await aConversation(s.databases, s.orgId, { to: '5491155550002' }),
  ]
  await s.outbox.stop()
  const bad = await s.write(s.orgId, chats[0] as string, 'bad')
  const good = await s.write(s.orgId, chats[1] as string, 'good')
  s.spoilt.set(bad, new TypeError('no such fate'))
  const heir = s.revive(s.databases)
  await heir.outbox.idle()
  t.equal((await s.message(good)).wamid !== null, true)
  t.same(
    (await s.outboxRows()).map(row => row.state),
    ['done', 'done'],
  )
  const next = await s.write(s.orgId, chats[0] as string, 'next')
  for (let i = 0; i < 5; i += 1) {
    await heir.outbox.idle()
    s.clock.advance(11 * minute)
  }
  t.equal((await s.message(next)).wamid !== null, true)
  t.same([...s.texts()].sort(), ['bad', 'good', 'next'])
  t.ok((await s.outboxRows()).every(row => row.state === 'done'))
  t.equal(s.log.lines('error').length, 2)
})

t.test('responses wait in memory while the database cannot be written', async t => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  await s.outbox.stop()
  const id = await s.write(s.orgId, chat, 'a')
  s.spoilt.set(id, Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' }))
  const heir = s.revive(s.databases)
  const idle = heir.outbox.idle()
  const deadline = Date.now() + 10_000
  while (!s.log.lines('error').length && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 10))
  s.spoilt.clear()
  await idle
  t.equal((await s.message(id)).wamid, 'wamid.out1')
  t.equal(s.graph.requests.length, 1)
})
