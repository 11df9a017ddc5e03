import fc from 'fast-check'
import t, { type Test } from 'tap'
import { type Arrival, backoffMs, type EndReason, openSource } from '#client/live/source.ts'
import { handServer, handTime, settle } from './world.ts'

const aSource = async (t: Test, since?: number) => {
  const time = handTime()
  const server = handServer()
  const seen = { events: [] as Arrival[], ends: [] as EndReason[], open: 0, away: 0, last: since }
  const source = openSource({
    ...time,
    random: () => 0.5,
    fetch: (url, init) => server.fetch(url, init),
    url: '/api/sse',
    last: () => seen.last,
    onEvent(event) {
      seen.events.push(event)
      if (event.id !== undefined) seen.last = event.id
    },
    onPlace(id) {
      seen.last = id
    },
    onOpen: () => {
      seen.open += 1
    },
    onAway: () => {
      seen.away += 1
    },
    onBeat: () => {},
    onEnd: reason => seen.ends.push(reason),
  })
  t.teardown(() => source.close())
  await settle()
  return { time, server, seen, source }
}

t.test('a stream without a cursor learns its position, and reconnects from there', async t => {
  const { server, seen, time } = await aSource(t)
  t.equal(seen.last, 0)
  server.publish()
  await settle()
  t.same(seen.events, [{ event: 'human', data: { message: 'm1', number: '1' }, id: 1 }])
  server.cut()
  await settle()
  t.equal(seen.away, 1)
  server.publish()
  server.publish()
  await time.pass(1000)
  t.same(
    seen.events.map(event => event.id),
    [1, 2, 3],
  )
  t.equal([...server.open][0]?.lastEventId, '1')
})

t.test('reconnect delays grow up to half a minute, with jitter', async t => {
  t.equal(backoffMs(0, 0), 500)
  t.equal(backoffMs(0, 1), 1000)
  t.equal(backoffMs(3, 1), 8000)
  t.equal(backoffMs(5, 1), 30_000)
  t.equal(backoffMs(5000, 0), 15_000)
  const { server, time, source } = await aSource(t)
  server.refuse = async () => Promise.reject(new TypeError('no network'))
  server.cut()
  await settle()
  server.asked = 0
  for (const waitMs of [750, 1500, 3000, 6000, 12_000, 22_500, 22_500]) {
    await time.pass(waitMs - 1)
    t.equal(server.asked, 0, `not before ${waitMs}`)
    await time.pass(1)
    t.equal(server.asked, 1)
    server.asked = 0
  }
  source.retry()
  await settle()
  t.equal(server.asked, 1, 'at once when the network may be back')
})

t.test('a Retry-After of the server is respected', async t => {
  const { server, time, seen } = await aSource(t)
  server.refuse = async () => new Response('{}', { status: 429, headers: { 'retry-after': '40' } })
  server.cut()
  await settle()
  await time.pass(750)
  server.asked = 0
  await time.pass(39_000)
  t.equal(server.asked, 0)
  server.refuse = undefined
  await time.pass(1000)
  t.equal(server.asked, 1)
  t.equal(seen.open, 2)
})

t.test('a stream that worked resets the backoff', async t => {
  const { server, time } = await aSource(t)
  server.refuse = async () => Promise.reject(new TypeError('x'))
  server.cut()
  await settle()
  await time.pass(60_000)
  server.refuse = undefined
  await time.pass(30_000)
  for (let lived = 0; lived < 12; lived += 1) {
    server.publish()
    await time.pass(1000)
  }
  server.cut()
  await settle()
  server.asked = 0
  await time.pass(750)
  t.equal(server.asked, 1)
})

t.test('silence longer than two heartbeats counts as a broken connection', async t => {
  const { server, time, seen } = await aSource(t)
  await time.pass(49_000)
  t.equal(seen.away, 0)
  for (const one of server.open) one.send(':\n\n')
  await settle()
  await time.pass(49_000)
  t.equal(seen.away, 0, 'a heartbeat is enough')
  await time.pass(2000)
  t.equal(seen.away, 1)
  t.equal(seen.open, 2)
})

t.test('a request without a response is aborted', async t => {
  const { server, time, seen } = await aSource(t)
  server.refuse = () => new Promise(() => {})
  server.cut()
  await settle()
  await time.pass(1000)
  t.equal(seen.away, 1)
})

t.test('the end of the session or membership is final, other goodbyes are not', async t => {
  for (const [status, reason] of [
    [401, 'signedOut'],
    [403, 'notMember'],
  ] as const) {
    const { server, time, seen } = await aSource(t)
    server.refuse = async () => new Response('{}', { status })
    server.cut()
    await settle()
    await time.pass(100_000)
    t.same(seen.ends, [reason])
    t.equal(server.asked, 2)
  }
  for (const reason of ['signedOut', 'notMember'] as const) {
    const { server, time, seen } = await aSource(t)
    server.say('goodbye', { reason })
    server.publish()
    await time.pass(100_000)
    t.same(seen.ends, [reason])
    t.same(seen.events, [], 'nothing after it')
    t.equal(server.asked, 1)
  }
  const { server, time, seen } = await aSource(t)
  server.say('goodbye', { reason: 'shutdown' })
  server.cut()
  await settle()
  await time.pass(1000)
  t.same(seen.ends, [])
  t.equal(seen.open, 2)
})

t.test('an unreadable event is reported in the console and skipped', async t => {
  const { server, seen } = await aSource(t)
  const said: unknown[][] = []
  const { error } = console
  console.error = (...words) => said.push(words)
  t.teardown(() => {
    console.error = error
  })
  for (const one of server.open) one.send('id: 1\ndata: {"event":\n\n')
  server.publish()
  await settle()
  t.equal(said.length, 1)
  t.equal(said[0]?.[0], 'Error al parsear el mensaje SSE')
  t.equal(seen.events.length, 1)
})

t.test('events are the same however the network splits the bytes', async t => {
  const texts = ['hola', 'ñandú 🧉', '\n\nid: 9\n\n', '"', 'data: x']
  const bytes = Buffer.from(
    `: recado\nretry: 2000\n\nid: 0\n\n${texts.map((message, i) => `id: ${i + 1}\ndata: ${JSON.stringify({ event: 'human', data: { message } })}\n\n`).join(':\n\n')}`,
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 30 }), async cuts => {
      const got: unknown[] = []
      let answered = false
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      await new Promise<void>(resolve => {
        const source = openSource({
          now: () => 0,
          random: () => 0,
          after: () => () => {},
          url: '',
          last: () => undefined,
          fetch: async () => {
            if (answered) return new Promise(() => {})
            answered = true
            const body = new ReadableStream({
              start(controller) {
                for (const [i, edge] of edges.entries())
                  if (i > 0) controller.enqueue(bytes.subarray(edges[i - 1], edge))
                controller.close()
              },
            })
            return new Response(body)
          },
          onEvent: event => got.push([event.id, (event.data as { message: string }).message]),
          onPlace() {},
          onOpen() {},
          onBeat() {},
          onEnd() {},
          onAway() {
            source.close()
            resolve()
          },
        })
      })
      t.strictSame(
        got,
        texts.map((text, i) => [i + 1, text]),
      )
    }),
    { numRuns: 100 },
  )
})
