import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createEventStream } from '#server/features/upstream/events/stream.ts'
import { findStream } from '#server/features/upstream/events/stream-store.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { isOnSqlite } from '#test/helpers/engine.ts'
import { alone } from '#test/helpers/lease.ts'
import { keptLog } from '#test/helpers/log.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

const phone = '5491155550101'
const message = (id: string, text: string) => ({
  id,
  direction: 'in',
  type: 'text',
  text,
  at: new Date().toISOString(),
})
const said = (id: string, text: string) => ({ number: phone, name: 'Lucía', message: message(id, text) })

/** Waits until `isTrue`, for twenty seconds at most. */
const until = async (isTrue: () => boolean | Promise<boolean>): Promise<boolean> => {
  for (const end = performance.now() + 20_000; performance.now() < end; await wait(10)) if (await isTrue()) return true
  return false
}

/** A product API that serves a stream by hand, and nothing else. */
const aStreamer = async (t: Test, { databases }: { databases?: Awaited<ReturnType<typeof freshDatabases>> } = {}) => {
  const opened: { lastId: string | undefined; headers: IncomingMessage['headers'] }[] = []
  const streams = new Set<ServerResponse>()
  const state = {
    behaviour: (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
      streams.add(response)
      response.on('close', () => streams.delete(response))
    },
  }
  const server = createServer((request, response) => {
    if (request.url !== '/sse') return response.writeHead(501).end()
    opened.push({ lastId: request.headers['last-event-id'] as string | undefined, headers: request.headers })
    return state.behaviour(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const start = () =>
    startBackend(t, {
      env: { PRODUCT_API_URL: url, OUTBOUND_ALLOW: '127.0.0.1' },
      ...(databases ? { databases } : {}),
    })
  const backend = await start()
  const owner = await aMember({ databases: backend.databases, orgName: 'Panadería' })
  const write = (text: string) => {
    for (const stream of streams) stream.write(text)
  }
  const say = (id: string, event: string, data: object, org = owner.org.id) =>
    write(`id: ${id}\ndata: ${JSON.stringify({ event, data, org })}\n\n`)
  const row = () => backend.databases.read.selectFrom('upstream_stream').selectAll().executeTakeFirst()
  const names = async () =>
    (await backend.databases.read.selectFrom('event').select(['type', 'data']).orderBy('seq').execute()).flatMap(
      ({ type, data }) => (type === 'messageChanged' ? [JSON.parse(data).message.text as string] : []),
    )
  const isOpen = () => until(async () => streams.size > 0 && (await row())?.state === 'open')
  return { backend, owner, opened, streams, state, write, say, row, names, isOpen, start, url }
}

t.test('events of the stream reach the list and open pages, and the place is kept', async t => {
  const { opened, streams, say, row, names, isOpen, backend, owner } = await aStreamer(t)
  t.ok(await isOpen())
  const token = JSON.parse(
    Buffer.from(String(opened[0]?.headers.authorization).split('.')[1] ?? '', 'base64url').toString(),
  )
  t.match(token, { sub: 'service:events', scopes: ['events:read'] })
  t.notOk('org' in token)
  t.notOk(opened[0]?.headers.cookie)
  say('a-1', 'message', said('m1', 'Hola'))
  say('a-2', 'message', said('m2', '¿Tienen pan?'))
  t.ok(await until(async () => (await row())?.last_id === 'a-2'))
  t.same(await names(), ['Hola', '¿Tienen pan?'])
  const reply = await backend.inject({
    url: '/api/whatsapp/conversations?unread=true',
    headers: { cookie: owner.cookie },
  })
  t.match(reply.json().items, [{ phone, name: 'Lucía', unread: 2, lastMessage: { text: '¿Tienen pan?' } }])

  for (const stream of streams) stream.destroy()
  t.ok(await until(() => opened.length === 2), 'opened again')
  t.equal(opened[1]?.lastId, 'a-2')
  t.ok(await isOpen())
  say('a-2', 'message', said('m2', '¿Tienen pan?'))
  say('a-3', 'message', said('m3', 'Gracias'))
  t.ok(await until(async () => (await row())?.last_id === 'a-3'))
  t.same(await names(), ['Hola', '¿Tienen pan?', 'Gracias'], 'what comes again changes nothing')
  t.same(backend.errors(), [])
})

t.test('what does not fit is skipped and counted, and what follows is read', async t => {
  const { say, write, row, names, isOpen, backend, owner } = await aStreamer(t)
  t.ok(await isOpen())
  const org = owner.org.id
  const bad: [name: string, text: string, field: string][] = [
    ['half JSON', 'id: b-1\ndata: {"event":', 'JSON'],
    ['a list', 'id: b-2\ndata: []', 'the whole answer'],
    ['no data', `id: b-3\ndata: ${JSON.stringify({ event: 'message', org })}`, 'data'],
    ['no id', `data: ${JSON.stringify({ event: 'message', org, data: said('m1', 'Hola') })}`, 'id'],
    [
      'an id that fits no header',
      `id: ñ\ndata: ${JSON.stringify({ event: 'message', org, data: said('m1', 'x') })}`,
      'id',
    ],
    ['nobody', `id: b-4\ndata: ${JSON.stringify({ event: 'message', org: 'nobody', data: said('m1', 'x') })}`, 'org'],
    [
      'no message',
      `id: b-5\ndata: ${JSON.stringify({ event: 'message', org, data: { number: phone } })}`,
      'data.message.the whole answer',
    ],
    ['300 kilobytes', `id: b-6\ndata: ${'x'.repeat(300_000)}`, 'size'],
  ]
  let count = 0
  for (const [name, text, field] of bad) {
    write(`${text}\n\n`)
    count += 1
    t.ok(await until(async () => Number((await row())?.refused) === count), name)
    t.equal((await row())?.refused_field, field, name)
  }
  say('b-7', 'weather', {})
  say('b-8', '__proto__', {})
  say('b-9', 'message', said('m9', 'Hola'))
  t.ok(await until(async () => (await row())?.last_id === 'b-9'))
  t.same(await names(), ['Hola'])
  const reply = await backend.inject({ url: '/api/organization/upstream', headers: { cookie: owner.cookie } })
  t.match(reply.json().stream, { state: 'open', detail: null, refused: count, refusedField: 'size' })
  t.same(backend.errors(), [])
})

t.test('a burst is stored in order, and a page is answered meanwhile', async t => {
  const { write, row, names, isOpen, backend, owner } = await aStreamer(t)
  t.ok(await isOpen())
  const many = 500
  const text = Array.from(
    { length: many },
    (_, i) =>
      `id: ${i}\ndata: ${JSON.stringify({ event: 'message', data: said(`m${i}`, `n ${i}`), org: owner.org.id })}\n\n`,
  )
  write(text.join(''))
  const reply = await backend.inject({ url: '/api/whatsapp/all-tags', headers: { cookie: owner.cookie } })
  t.equal(reply.statusCode, 200)
  t.ok(await until(async () => (await row())?.last_id === String(many - 1)))
  t.same(
    await names(),
    Array.from({ length: many }, (_, i) => `n ${i}`),
  )
})

t.test(
  'a stream that ends, is refused or is something else is opened again after growing gaps, and says so',
  async t => {
    const { opened, state, row, backend, isOpen, streams } = await aStreamer(t)
    t.ok(await isOpen())
    const streaming = state.behaviour
    const cases: [name: string, behaviour: typeof state.behaviour, detail: string][] = [
      ['an error', (_q, r) => void r.writeHead(500).end('no'), '500'],
      ['HTML', (_q, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'), 'content-type'],
      ['a redirect', (_q, r) => void r.writeHead(302, { location: 'http://169.254.169.254/' }).end(), '302'],
    ]
    for (const [name, behaviour, detail] of cases) {
      state.behaviour = behaviour
      for (const stream of streams) stream.end()
      t.ok(await until(async () => (await row())?.detail === detail), name)
      t.equal((await row())?.state, 'waiting')
    }
    t.ok(opened.length < 8, `asked ${opened.length} times`)
    state.behaviour = streaming
    t.ok(await until(async () => (await row())?.state === 'open'), 'and then it stands again')
    t.same(backend.errors(), [])
  },
)

t.test('an upstream without an event stream is not asked for one again', async t => {
  const { opened, state, row, isOpen, streams } = await aStreamer(t)
  t.ok(await isOpen())
  state.behaviour = (_request, response) => void response.writeHead(501).end()
  for (const stream of streams) stream.end()
  t.ok(await until(async () => (await row())?.state === 'absent'))
  const before = opened.length
  await wait(700)
  t.equal(opened.length, before)
})

/** SQLite has one server. */
const testOnPostgres = (claim: string, prove: (t: Test) => Promise<void>): void => {
  if (!isOnSqlite) t.test(claim, prove)
}

testOnPostgres('of two processes one reads, and the other goes on when that one ends', async t => {
  const databases = await freshDatabases()
  const { opened, streams, say, row, isOpen, start, backend } = await aStreamer(t, { databases })
  t.ok(await isOpen())
  const second = await start()
  await wait(1_200)
  t.equal(opened.length, 1)
  say('c-1', 'message', said('m1', 'Hola'))
  t.ok(await until(async () => (await row())?.last_id === 'c-1'))
  await backend.close()
  t.ok(await until(() => opened.length === 2))
  t.equal(opened[1]?.lastId, 'c-1')
  t.ok(await until(() => streams.size === 1))
  await wait(50)
  say('c-1', 'message', said('m1', 'Hola'))
  say('c-2', 'message', said('m2', 'Gracias'))
  const read = second.databases.read
  t.ok(
    await until(
      async () => (await read.selectFrom('upstream_stream').selectAll().executeTakeFirst())?.last_id === 'c-2',
    ),
  )
  t.equal((await read.selectFrom('upstream_event').selectAll().execute()).length, 2)
})

t.test('the example serves its stream to the installation only', async t => {
  const { example, owner, call, databases } = await upstreamStage(t)
  const isOpen = async () => (await call('GET', '/organization/upstream')).body.stream?.state === 'open'
  t.ok(await until(isOpen))
  example.emit(owner.org.id, 'message', said('m1', 'Hola'))
  const count = async () => (await databases.read.selectFrom('upstream_event').selectAll().execute()).length
  t.ok(await until(async () => (await count()) === 1))
  t.match((await call('GET', '/organization/upstream')).body.lastEventAt, /Z$/)
})

/** A reader by itself, which waits shorter than the product does. */
const aReader = async (
  t: Test,
  open: (count: number, signal: AbortSignal) => Promise<Response>,
  idleTimeoutMs = 150,
) => {
  const databases = await freshDatabases()
  const opened: number[] = []
  const log = keptLog()
  const stream = createEventStream({
    address: 'http://127.0.0.1:1/sse',
    ...{ databases, clock: systemClock, log, lease: alone },
    writes: createWrites({ databases, log, listeners: createListeners() }),
    take: () => ({ orgId: 'nobody', apply: async () => undefined }),
    async open(_headers, signal) {
      opened.push(performance.now())
      return open(opened.length, signal)
    },
    timing: { idleTimeoutMs, firstGapMs: 40, maxGapMs: 640 },
  })
  stream.start()
  t.teardown(async () => {
    await stream.stop()
    await databases.close()
  })
  const state = async () => (await findStream(databases.read, 'http://127.0.0.1:1/sse'))?.detail
  return { opened, state, stream }
}

const headers = { 'content-type': 'text/event-stream' }
/** Sends these texts, one every `everyMs`, and then nothing more. */
const speaking = (texts: readonly string[], everyMs: number, signal: AbortSignal) =>
  new Response(
    new ReadableStream({
      async start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason))
        for (const text of texts) {
          await wait(everyMs)
          if (signal.aborted) return
          controller.enqueue(Buffer.from(text))
        }
      },
    }),
    { headers },
  )

t.test('a stream without a byte is given up, and one that sends comments is not', async t => {
  const comments = Array.from({ length: 12 }, () => ':\n\n')
  const { opened, state } = await aReader(t, async (_count, signal) => speaking(comments, 50, signal))
  await wait(550)
  t.equal(opened.length, 1, 'comments keep it open')
  t.ok(await until(async () => (await state()) === 'timeout'), 'then it says nothing')
  t.ok(await until(() => opened.length === 2), 'and is opened again')
})

t.test('an answer that never comes is given up, too', async t => {
  const { opened, state } = await aReader(
    t,
    (_count, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  t.ok(await until(() => opened.length >= 2))
  t.equal(await state(), 'timeout')
})

t.test('gaps grow from one failure to the next, and retry-after is respected', async t => {
  const { opened } = await aReader(t, async count =>
    count < 6
      ? new Response(null, { status: 500 })
      : new Response(null, { status: 503, headers: { 'retry-after': '600' } }),
  )
  t.ok(await until(() => opened.length === 6))
  const gaps = opened.slice(1).map((at, i) => at - (opened[i] as number))
  // A busy machine waits longer, never shorter: half of 40, 80, 160, 320, 640 ms at least, as timers round them.
  for (const [i, gap] of gaps.entries()) t.ok(gap >= 20 * 2 ** i - 2, gaps.map(Math.round).join(', '))
  await wait(1_500)
  t.equal(opened.length, 6, 'it was told to wait ten minutes')
})

t.test('a stop ends the wait for a byte at once', async t => {
  const { opened, stream } = await aReader(t, async (_count, signal) => speaking([], 0, signal), 600_000)
  t.ok(await until(() => opened.length === 1))
  await stream.stop()
})
