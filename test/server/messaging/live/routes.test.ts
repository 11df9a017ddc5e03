import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { createLive, maxStreamsPerUser } from '#server/messaging/live/hub.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { aMember, anOrg, type Cast, listen, serve, tell, until } from './stage.ts'

const quietLog = { debug() {}, info() {}, warn() {}, error() {}, child: () => quietLog } as unknown as Log

const aServer = async (t: Test) => {
  const databases = await freshDatabases()
  const live = createLive({ scopes: createScopes({ databases }), databases, clock: handClock(), log: quietLog })
  const cast: Cast[] = []
  const { app, port } = await serve(databases, live, cast)
  t.teardown(async () => {
    await app.close()
    await databases.close()
  })
  const org = await anOrg(databases)
  const ana = await aMember(databases, org)
  cast.push(ana)
  return { databases, live, cast, app, port, org, ana, me: { 'x-user': ana.userId } }
}
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

t.test('a stream has headers that keep proxies and browsers from buffering or changing it', async t => {
  const { port, me, live, databases, org } = await aServer(t)
  const one = await listen(port, '/api/sse', me)
  t.equal(one.response.statusCode, 200)
  t.match(one.response.headers, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /default-src 'none'/,
  })
  await until(() => one.text().includes('id: 0\n\n'))
  t.ok(one.text().startsWith(': recado\nretry: 2000\n\n'))
  await tell(live, databases, org, [1, 2])
  await until(() => one.ids().length === 2)
  t.match(one.text(), 'id: 1\ndata: {"event":"human","data":{"message":"m1","number":"1"}}\n\n')
})

t.test('a reader whose connection breaks repeatedly misses nothing and gets nothing twice', async t => {
  const { port, me, live, databases, org } = await aServer(t)
  const got: number[] = []
  let telling = true
  const teller = (async () => {
    for (let i = 0; i < 200; i += 1) {
      await tell(live, databases, org, numbers(1, 1 + (i % 7)))
      if (i % 5 === 0) await new Promise(resolve => setTimeout(resolve, 1))
    }
    telling = false
  })()
  let last: number | undefined = 0
  while (telling || got.at(-1) !== (await live.head(org))) {
    const one = await listen(port, '/api/sse', { ...me, 'last-event-id': String(last) })
    await until(() => one.ids().length > 15 || (!telling && one.ids().length > 0))
    one.request.destroy()
    await one.closed
    got.push(...one.ids())
    last = got.at(-1)
  }
  await teller
  t.strictSame(got, numbers(1, await live.head(org)))
  await until(() => live.streams === 0)
})

t.test('the cursor can come as a query parameter, and the header takes precedence', async t => {
  const { port, me, live, databases, org } = await aServer(t)
  await tell(live, databases, org, [1, 2, 3])
  const byQuery = await listen(port, `/api/sse?organization=${org}&since=1`, me)
  await until(() => byQuery.ids().length === 2)
  t.same(byQuery.ids(), [2, 3])
  const byHeader = await listen(port, '/api/sse?since=1', { ...me, 'last-event-id': '2' })
  await until(() => byHeader.ids().length === 1)
  t.same(byHeader.ids(), [3])
  const strange = await listen(port, '/api/sse', { ...me, 'last-event-id': 'from another installation' })
  await until(() => strange.text().includes('"resync"'))
})

t.test(
  'an anonymous caller, a non-member, another organization, another origin and a bad query are refused before the stream',
  async t => {
    const { port, me, databases, cast } = await aServer(t)
    const other = await anOrg(databases)
    const billing = await aMember(databases, other, 'billing')
    cast.push(billing)
    const answers = [
      [await listen(port, '/api/sse', {}), 401],
      [await listen(port, '/api/sse', { 'x-user': 'nobody' }), 401],
      [await listen(port, `/api/sse?organization=${other}`, me), 403],
      [await listen(port, '/api/sse', { ...me, 'x-organization': other }), 403],
      [await listen(port, '/api/sse', { 'x-user': billing.userId }), 403],
      [await listen(port, '/api/sse', { ...me, 'sec-fetch-site': 'cross-site' }), 403],
      [await listen(port, '/api/sse', { ...me, 'sec-fetch-site': 'same-site' }), 403],
      [await listen(port, '/api/sse?since=x', me), 400],
      [await listen(port, '/api/sse?since=-1', me), 400],
      [await listen(port, '/api/sse?unknown=1', me), 400],
    ] as const
    for (const [answer, status] of answers) {
      t.equal(answer.response.statusCode, status)
      t.match(answer.response.headers['content-type'], /json/)
      await answer.closed
    }
  },
)

t.test('one stream too many is refused with a Retry-After', async t => {
  const { port, me } = await aServer(t)
  await Promise.all(numbers(1, maxStreamsPerUser).map(() => listen(port, '/api/sse', me)))
  const refused = await listen(port, '/api/sse', me)
  t.equal(refused.response.statusCode, 429)
})

t.test('a client that stops reading is closed; another one gets every event and keeps its stream', async t => {
  const { port, me, live, databases, org, ana } = await aServer(t)
  const healthy = await listen(port, '/api/sse', me)
  // An event published before the stream knows its position is not for it.
  await until(() => healthy.text().includes('id: 0\n\n'))
  const stalled = connect(port, '127.0.0.1')
  await once(stalled, 'connect')
  stalled.write(`GET /api/sse HTTP/1.1\r\nhost: x\r\nx-user: ${ana.userId}\r\n\r\n`)
  await until(() => live.streams === 2)
  stalled.pause()
  let sent = 0
  while (live.streams === 2) {
    const events = await inTransaction(databases, trx =>
      live.record(
        trx,
        org,
        numbers(1, 20).map(() => ({ type: 'human' as const, data: { message: 'x'.repeat(20_000), number: '1' } })),
      ),
    )
    live.publish(events)
    sent += events.length
    await until(() => healthy.ids().length === sent)
  }
  t.equal(live.streams, 1)
  await tell(live, databases, org, [1])
  await until(() => healthy.ids().length === sent + 1)
  t.strictSame(healthy.ids(), numbers(1, sent + 1))
  stalled.destroy()
})

t.test('shutdown sends a goodbye and waits for no client, not even one that never reads', async t => {
  const { app, port, me, live, ana } = await aServer(t)
  const readers = await Promise.all(numbers(1, 5).map(() => listen(port, '/api/sse', me)))
  const stalled = connect(port, '127.0.0.1')
  stalled.on('error', () => {})
  stalled.write(`GET /api/sse HTTP/1.1\r\nhost: x\r\nx-user: ${ana.userId}\r\n\r\n`)
  stalled.pause()
  await until(() => live.streams === 6)
  await app.close()
  await Promise.all(readers.map(reader => reader.closed))
  for (const reader of readers) {
    t.match(reader.text(), /data: \{"event":"goodbye","data":\{"reason":"shutdown"\}\}\n\n$/)
    t.ok(reader.response.complete, 'ended as HTTP wants it')
  }
  t.equal(live.streams, 0)
  stalled.destroy()
})

t.test('the end of a membership closes the stream with its reason', async t => {
  const { port, me, live, org, ana } = await aServer(t)
  const one = await listen(port, '/api/sse', me)
  await until(() => live.streams === 1)
  live.dropMember(org, ana.userId)
  await one.closed
  t.match(one.text(), '"goodbye","data":{"reason":"notMember"}')
})

t.test('signing out ends the streams of that session only', async t => {
  const { app, port, me, live, databases, org, cast } = await aServer(t)
  const beto = await aMember(databases, org)
  cast.push(beto)
  const [mine, theirs] = [await listen(port, '/api/sse', me), await listen(port, '/api/sse', { 'x-user': beto.userId })]
  await until(() => live.streams === 2)
  await app.inject({ method: 'POST', url: '/api/auth/sign-out', headers: me })
  await mine.closed
  t.match(mine.text(), '"goodbye","data":{"reason":"signedOut"}')
  t.equal(live.streams, 1)
  t.notMatch(theirs.text(), 'goodbye')
})

t.test('an HTTP/1.0 client gets the same events without chunks', async t => {
  const { port, live, databases, org, ana } = await aServer(t)
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', part => {
    text += part
  })
  socket.write(`GET /api/sse HTTP/1.0\r\nhost: x\r\nx-user: ${ana.userId}\r\n\r\n`)
  await until(() => text.includes('id: 0\n\n'))
  await tell(live, databases, org, [1])
  await until(() => text.includes('"m1"'))
  t.equal(
    text.slice(text.indexOf('\r\n\r\n') + 4),
    ': recado\nretry: 2000\n\nid: 0\n\nid: 1\ndata: {"event":"human","data":{"message":"m1","number":"1"}}\n\n',
  )
  socket.destroy()
})
