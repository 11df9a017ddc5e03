import t, { type Test } from 'tap'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { createLive } from '#server/messaging/live/hub.ts'
import type { EventDraft } from '#server/messaging/live/recording.ts'
import { createLiveService } from '#server/messaging/live/service.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { endpointReader } from '#server/platform/http/validate.ts'
import type { Log } from '#server/platform/log/log.ts'
import { liveApi } from '#shared/live/log.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { aMember, anOrg, memberOf } from './stage.ts'

const quietLog = { debug() {}, info() {}, warn() {}, error() {}, child: () => quietLog } as unknown as Log
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const reader = endpointReader(liveApi.events)

const aStage = async (t: Test) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock()
  const live = createLive({ scopes: createScopes({ databases }), databases, clock, log: quietLog })
  const service = createLiveService({ databases })
  const org = await anOrg(databases)
  const ana = memberOf(await aMember(databases, org))
  const tell = (drafts: EventDraft[], orgId = org) => inTransaction(databases, trx => live.record(trx, orgId, drafts))
  const ask = async (query: Record<string, unknown> = {}, member = ana) =>
    service.events(member, reader.read({ query }) as Parameters<typeof service.events>[1])
  return { databases, clock, live, org, ana, service, tell, ask }
}
const human = (n: number): EventDraft => ({
  type: 'human',
  data: { message: `m${n}`, number: String(n) },
  number: `549115555${1000 + n}`,
})

t.test('events are listed newest first, in pages', async t => {
  const { tell, ask, service, ana } = await aStage(t)
  t.same(await ask(), { items: [], page: 1, pageSize: 50, hasMore: false })
  t.same(await service.place(ana, {}), { id: 0 })
  await tell(numbers(1, 120).map(human))
  t.same(await service.place(ana, {}), { id: 120 })
  const first = await ask()
  t.same(
    first.items.map(item => item.id),
    numbers(71, 120).reverse(),
  )
  t.equal(first.hasMore, true)
  t.same(first.items[0], {
    id: 120,
    type: 'human',
    at: '2026-11-20T13:00:00.000Z',
    actor: 'system',
    actorName: null,
    number: '5491155551120',
    data: { message: 'm120', number: '120' },
  })
  const last = await ask({ page: 3 })
  t.same(
    last.items.map(item => item.id),
    numbers(1, 20).reverse(),
  )
  t.equal(last.hasMore, false)
  t.same((await ask({ page: 4 })).items, [])
  const exact = await ask({ since: 20 })
  t.equal(exact.hasMore, true)
  t.equal((await ask({ since: 20, page: 2 })).hasMore, false, 'a full last page is the last')
})

t.test('events are filtered by cursor, kind, number and time', async t => {
  const { tell, ask, clock } = await aStage(t)
  await tell(numbers(1, 10).map(human))
  clock.advance(60_000)
  await tell([{ type: 'connection', data: { status: null, phone: null } }, human(12)])
  const ids = async (query: Record<string, unknown>) => (await ask(query)).items.map(item => item.id)
  t.same(await ids({ since: '9' }), [12, 11, 10])
  t.same(await ids({ before: 3 }), [2, 1])
  t.same(await ids({ type: 'connection' }), [11])
  t.same(await ids({ number: '+5491155551003' }), [3])
  t.same(await ids({ from: '2026-11-20T10:01:00-03:00' }), [12, 11])
  t.same(await ids({ to: '2026-11-20T13:01:00Z', since: 8 }), [10, 9])
  t.same(await ids({ from: '2030-01-01T00:00Z' }), [])
})

t.test('a number with few events is found among tens of thousands of events', async t => {
  const { tell, ask } = await aStage(t)
  for (let i = 0; i < 12; i += 1) {
    await tell([human(i)])
    await tell(numbers(1, 1000).map(() => human(5000)))
  }
  const found = await ask({ number: '5491155551003' })
  t.same(
    found.items.map(item => item.id),
    [3004],
  )
  t.equal(found.hasMore, false)
})

t.test('other members’ notifications and other organizations’ events are not included', async t => {
  const { tell, ask, databases, ana } = await aStage(t)
  const other = await anOrg(databases)
  await tell([human(1)], other)
  await tell([
    { type: 'notify', data: { id: 'notify-1' }, audience: [ana.userId] },
    { type: 'notify', data: { id: 'notify-2' }, audience: ['beto'] },
    { type: 'notify', data: { id: 'notify-3' }, audience: [`${ana.userId}0`] },
  ])
  t.same(
    (await ask()).items.map(item => item.data),
    [{ id: 'notify-1' }],
  )
})

t.test('an event names its actor if it knows one', async t => {
  const { tell, ask } = await aStage(t)
  await tell([
    { type: 'message', data: { message: { direction: 'in' } } },
    { type: 'message', data: { message: { direction: 'out', author: { kind: 'person' } } } },
    { type: 'messageChanged', data: { message: { direction: 'out', author: { kind: 'bot' } } } },
    { type: 'message', data: { message: { direction: 'out' } } },
    { type: 'status', data: {} },
    { type: 'human', data: null },
  ])
  t.same((await ask()).items.map(item => item.actor).reverse(), [
    'contact',
    'person',
    'bot',
    'system',
    'whatsapp',
    'system',
  ])
})

t.test('an invalid query is refused by its field', async t => {
  const { ask } = await aStage(t)
  for (const [field, value] of [
    ['page', 0],
    ['page', 201],
    ['page', 'x'],
    ['since', -1],
    ['type', 'resync'],
    ['type', 'x'],
    ['number', 'abc'],
    ['from', 'yesterday'],
    ['from', '2026-13-45T99:99:99Z'],
    ['to', '2026-11-20T13:00:00'],
    ['other', 1],
  ] as const) {
    await t.rejects(
      ask({ [field]: value }),
      { code: 'APP_VALIDATION', fields: [`query.${field}`] },
      `${field}=${value}`,
    )
  }
})

t.test(
  'an event without an actor in its data is attributed to its creator, and short-lived events are not listed',
  async t => {
    const { ask, databases, live, org } = await aStage(t)
    const by = { kind: 'person', id: 'ana', name: 'Ana' } as const
    const passing = (['presence', 'draft', 'flowPresence'] as const).map(type => ({ type, data: {} }))
    const stored = await inTransaction(databases, trx =>
      live.record(trx, org, [{ type: 'conversation', data: {} }, ...passing, { type: 'tags', data: {} }], by),
    )
    t.equal(stored.length, 5, 'open tabs are told of all of them')
    t.match((await ask()).items, [
      { id: 5, type: 'tags', actor: 'person' },
      { id: 1, type: 'conversation', actor: 'person' },
    ])
    t.equal((await ask()).items.length, 2)
  },
)

t.test('an event made by an API key has the key’s name', async t => {
  const { ask, databases, live, org } = await aStage(t)
  const by = { kind: 'key', id: 'k1', name: 'Tienda' } as const
  const sent = { message: { direction: 'out', author: null } }
  await inTransaction(databases, trx =>
    live.record(
      trx,
      org,
      [
        { type: 'tags', data: {} },
        { type: 'message', data: sent },
        { type: 'status', data: {} },
      ],
      by,
    ),
  )
  t.match((await ask()).items, [
    { type: 'status', actor: 'whatsapp', actorName: null },
    { type: 'message', actor: 'key', actorName: 'Tienda' },
    { type: 'tags', actor: 'key', actorName: 'Tienda' },
  ])
})

t.test('presence events are deleted after minutes, and other events stay', async t => {
  const { ask, databases, live, org, clock } = await aStage(t)
  const passing = (['presence', 'draft', 'flowPresence'] as const).map(type => ({ type, data: {} }))
  await inTransaction(databases, trx => live.record(trx, org, [human(1), ...passing, human(2), ...passing]))
  clock.advance(4 * 60_000)
  t.equal(await live.prune(), 0)
  clock.advance(2 * 60_000)
  t.equal(await live.prune(), 6)
  t.same(
    (await databases.read.selectFrom('event').select('seq').orderBy('seq').execute()).map(row => Number(row.seq)),
    [1, 5],
  )
  t.same(
    (await ask()).items.map(item => item.id),
    [5, 1],
  )
})
