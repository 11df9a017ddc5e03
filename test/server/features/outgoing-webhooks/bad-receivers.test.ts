import type { LookupAddress, LookupOptions } from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createAttempt } from '#server/features/outgoing-webhooks/attempt.ts'
import type { StoredDelivery } from '#server/features/outgoing-webhooks/delivery-store.ts'
import { sealContexts } from '#server/features/outgoing-webhooks/sealed.ts'
import { newSecret } from '#server/features/outgoing-webhooks/signature.ts'
import type { StoredWebhook } from '#server/features/outgoing-webhooks/webhook-store.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import { publicLookup } from '#server/platform/outbound/address.ts'
import { allowedBy, createMayCall } from '#server/platform/outbound/allowed.ts'
import { createOutbound, createPublicFetch, type Outbound } from '#server/platform/outbound/outbound.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { testSecret } from '#test/helpers/actors.ts'

const deadlineMs = 400
const vault = createVault(testSecret, [])
const allow = ['127.0.0.1']
const open = createOutbound({
  fetch: createPublicFetch(undefined, { isAllowed: allowedBy(allow) }),
  mayCall: createMayCall(allow),
})
/** With a shorter deadline, so that the test is quick. */
const hasty: Pick<Outbound, 'call'> = {
  call: (url, call) => {
    if (call.timeoutMs !== 15_000) throw new Error('another deadline than the documented one')
    return open.call(url, { ...call, timeoutMs: deadlineMs })
  },
}

const webhookAt = (url: string): StoredWebhook => ({
  ...{ name: 'orders', url, events: ['message.received'], filter: null, format: 'standard', active: true },
  sealed: vault.encrypt(newSecret(), sealContexts.secret('org', 'orders')),
  ...{ former: null, headers: null, verifyToken: null, stoppedFor: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', changedAt: '2026-01-01T00:00:00.000Z', changedBy: 'Ana' },
})
const delivery: StoredDelivery = {
  ...{ id: 'd1', org_id: 'org', webhook: 'orders', event_id: 'e1', type: 'message.received', body: '{}', line: null },
  ...{ state: 'waiting', attempts: 0, created_at: '2026-01-01T00:00:00.000Z', attempted_at: null, status: null },
  ...{ failure: null, answer: null, took_ms: null },
}

const attemptAt = async (url: string, outbound: Pick<Outbound, 'call'> = hasty) => {
  const attempt = createAttempt({ clock: systemClock, vault, outbound })
  return attempt('org', webhookAt(url), delivery, new AbortController().signal)
}

/** A receiver that answers as the test says. */
const receiver = async (t: Test, answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

t.test('a receiver that never answers ends at the deadline', async t => {
  const made = await attemptAt(await receiver(t, () => undefined))
  t.match(made, { failure: 'timeout', status: null, answer: null })
})

t.test('so does one whose headers come a byte at a time', async t => {
  const sockets = new Set<Socket>()
  const server = createTcpServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const made = await attemptAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  t.match(made, { failure: 'timeout', status: null })
})

t.test('the status decides, however the body goes on', async t => {
  const endless = await attemptAt(
    await receiver(t, (_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (response.write('x'.repeat(64 * 1024)));
      }
      response.on('drain', more)
      response.on('error', () => undefined)
      more()
    }),
  )
  t.match(endless, { failure: null, status: 200 })
  t.equal(endless.answer?.length, 16 * 1024)
  const slow = await attemptAt(
    await receiver(t, (_request, response) => {
      response.writeHead(202)
      response.write('almost')
    }),
  )
  t.match(slow, { failure: null, status: 202, answer: 'almost' })
  const broken = await attemptAt(
    await receiver(t, (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => response.destroy(), 20)
    }),
  )
  t.match(broken, { failure: null, status: 200, answer: 'half' })
})

t.test('each bad status is no success, and a redirect is not followed', async t => {
  let calls = 0
  for (const status of [301, 302, 307, 400, 404, 410, 429, 500, 503]) {
    const url = await receiver(t, (_request, response) => {
      calls += 1
      response.writeHead(status, { location: '/elsewhere' }).end('no')
    })
    t.match(await attemptAt(url), { failure: 'status', status, answer: 'no' })
  }
  t.equal(calls, 9)
})

t.test('a receiver says how long it wants to be left alone, within bounds', async t => {
  const restOf = async (value: string) =>
    (
      await attemptAt(
        await receiver(t, (_request, response) => response.writeHead(503, { 'retry-after': value }).end()),
      )
    ).restMs
  t.equal(await restOf('90'), 90_000)
  t.equal(await restOf('999999'), 3_600_000)
  for (const none of ['0', '-1', 'soon', 'Fri, 31 Dec 2027 23:59:59 GMT', '1e9']) t.equal(await restOf(none), undefined)
})

t.test('garbage in place of HTTP, a closed port and bytes that are no text fail without a crash', async t => {
  const server = createTcpServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('\u0000\u0001 not HTTP at all\r\n\r\n')
      socket.destroySoon()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  t.match(await attemptAt(url), { failure: 'network', status: null })
  await new Promise(resolve => server.close(resolve))
  t.match(await attemptAt(url), { failure: 'network', status: null })
  const bytes = await attemptAt(
    await receiver(t, (_request, response) => response.end(Buffer.from([0, 255, 254, 0x68, 0x69]))),
  )
  t.match(bytes, { failure: null, status: 200 })
  t.match(bytes.answer, /hi$/)
  t.notMatch(bytes.answer, '\0')
})

t.test('a name that leads to a private network is refused in the connection, also after it was public', async t => {
  let heard = 0
  const url = await receiver(t, (_request, response) => {
    heard += 1
    response.end()
  })
  const lookup = ((_host: string, options: LookupOptions, done: (error: null, found: LookupAddress[]) => void) => {
    if (!options.all) throw new Error('all addresses are asked for')
    done(null, [{ address: '127.0.0.1', family: 4 }])
  }) as unknown as LookupFunction
  const outbound = createOutbound({ fetch: createPublicFetch(publicLookup(lookup as never)) })
  const made = await attemptAt('https://orders.example.com/', outbound)
  t.match(made, { failure: 'address', status: null })
  for (const inner of [url, 'https://10.0.0.1/', 'https://[::1]/', 'https://localhost/'])
    t.match(await attemptAt(inner, createOutbound({ fetch: createPublicFetch() })), { failure: 'address' }, inner)
  t.equal(heard, 0)
})
