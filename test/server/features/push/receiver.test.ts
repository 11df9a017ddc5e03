import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { pushDelayMs } from '#server/features/push/push.ts'
import { createPublicFetch } from '#server/platform/outbound/outbound.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aBrowser, openVapid } from '#test/helpers/push-browser.ts'

interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A push service on this machine; `pushFetch` connects to it instead of to public addresses. */
const aPushService = async (t: Test) => {
  const received: Received[] = []
  let answer: { status: number; headers?: Record<string, string> } = { status: 201 }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    received.push({
      method: request.method,
      path: request.url,
      headers: request.headers,
      body: Buffer.concat(parts),
    })
    response.writeHead(answer.status, answer.headers).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  const pushFetch = ((url: string, init: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, init)) as typeof fetch
  return {
    received,
    pushFetch,
    answers: (status: number, headers: Record<string, string> = {}) => {
      answer = { status, headers }
    },
  }
}

/** An installation whose customer has just written while its owner's browsers are closed. */
const aStage = async (t: Test) => {
  const service = await aPushService(t)
  const backend = await startBackend(t, {
    pushFetch: service.pushFetch,
    env: { PUBLIC_URL: 'https://recado.example.com' },
  })
  const { databases, clock } = backend
  const ana = await aMember({ databases, publicUrl: 'https://recado.example.com' })
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
    const headers = { cookie: ana.cookie, 'x-organization': ana.org.id }
    const answer = await backend.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) })
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`)
    return answer.json()
  }
  await call('POST', '/whatsapp/connection/sandbox')
  const customers = ['5491155550001', '5491155550002', '5491155550003']
  const customerSays = async (text: string) => {
    await call('POST', '/sandbox/inbound', { from: customers.shift(), name: 'Lucía Méndez', type: 'text', text })
    await backend.settle()
  }
  const browser = aBrowser()
  await call('POST', '/push/subscriptions', browser.subscription)
  const later = async (ms: number) => {
    clock.advance(ms)
    await backend.parts.jobs.idle()
  }
  const rows = () =>
    databases.read.selectFrom('job').select(['attempts', 'due_at']).where('kind', '=', 'push').execute()
  const browsers = () => databases.read.selectFrom('push_subscription').select('endpoint').execute()
  return { ...service, backend, clock, ana, call, customerSays, browser, later, rows, browsers }
}

t.test('a push service gets one encrypted, signed message without anything the customer wrote', async t => {
  const { received, customerSays, browser, later, rows, call, clock, ana, backend } = await aStage(t)
  await customerSays('Un secreto de Lucía')
  await later(pushDelayMs)
  t.equal(received.length, 1)
  const [{ method, path, headers, body } = {} as Received] = received
  t.equal(method, 'POST')
  t.equal(path, new URL(browser.subscription.endpoint).pathname)
  t.equal(headers['content-encoding'], 'aes128gcm')
  t.equal(headers['content-length'], String(body.length))
  const [stored] = await call('GET', '/notify')
  t.same(browser.open(body), { id: `notify-${stored.id}`, org: ana.org.slug, title: 'New WhatsApp message' })
  t.throws(() => aBrowser().open(body), 'nobody else can open it')
  for (const secret of ['secreto', 'Lucía', '54911'])
    t.notOk(JSON.stringify([browser.open(body), headers]).includes(secret), secret)

  const { key, algorithm, claims } = openVapid(headers.authorization ?? '')
  t.equal(key, (await call('GET', '/push/key')).key)
  t.equal(algorithm, 'ES256')
  t.equal(claims.aud, 'https://push.example.com')
  t.equal(claims.sub, 'https://recado.example.com')
  const now = clock.now().getTime() / 1000
  t.ok(claims.exp > now && claims.exp <= now + 24 * 60 * 60, 'valid now, and for a day at most')
  t.ok(Number(headers.ttl) > 0)
  t.same(await rows(), [])
  t.same(backend.lines, [])
})

for (const status of [404, 410])
  t.test(`a browser that is gone (${status}) is deleted`, async t => {
    const { received, customerSays, later, rows, browsers, answers } = await aStage(t)
    answers(status)
    await customerSays('Hola')
    await later(pushDelayMs)
    t.same([await browsers(), await rows()], [[], []])
    await customerSays('Hola')
    await later(pushDelayMs)
    t.equal(received.length, 1)
  })

for (const [status, headers, waitMs] of [
  [429, { 'retry-after': '120' }, 120_000],
  [503, {}, 30_000],
] as const)
  t.test(`a service that answers ${status} is retried at its time, from a row`, async t => {
    const { received, customerSays, browser, later, rows, browsers, answers, clock } = await aStage(t)
    answers(status, headers)
    await customerSays('Hola')
    await later(pushDelayMs)
    t.same(await rows(), [{ attempts: 1, due_at: new Date(clock.now().getTime() + waitMs).toISOString() }])
    t.equal((await browsers()).length, 1)
    answers(201)
    await later(waitMs - 1)
    t.equal(received.length, 1)
    await later(1)
    t.equal(received.length, 2)
    const [first, second] = received.map(one => browser.open(one.body))
    t.same(first, second)
    t.same(await rows(), [])
  })

t.test('the fetch used in production cannot reach its own network', async t => {
  const { port } = await new Promise<AddressInfo>(resolve => {
    const server = createServer((_request, response) => response.end('reached'))
    t.teardown(() => new Promise(done => server.close(done)))
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo))
  })
  await t.rejects(() => createPublicFetch()(`http://localhost:${port}/`, { method: 'POST' }), {
    cause: { name: 'PrivateAddress' },
  })
})
