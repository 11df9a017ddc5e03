import Fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { noSignals, type Signals } from '#server/platform/db/signals.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { installRateLimit } from '#server/platform/http/plugins/rate-limit.ts'
import { handClock } from '#test/helpers/clock.ts'

const aServer = async (t: Test, { signals = noSignals, clock = handClock() } = {}) => {
  const app = Fastify({ trustProxy: true })
  app.decorateRequest('caller')
  app.addHook('onRequest', async request => {
    const userId = request.headers['x-user']
    const person = userId ? ({ userId, language: 'es' } as unknown as Person) : null
    request.caller = { language: 'es', person, member: async () => undefined }
  })
  app.decorateRequest('actor')
  installErrorReply(app, { translate: (_language, key) => key })
  installRateLimit(app, {
    clock,
    databases: { signals },
    limits: { reads: 6, writes: 3, accountWrites: 2, writesOfOrg: 6 },
  })
  for (const url of ['/api/x', '/api/auth/x', '/org/x', '/assets/x', '/webhooks/x', '/healthz']) {
    // Like a route that admits a member.
    const onRequest = async (request: FastifyRequest) => {
      const orgId = request.headers['x-org']
      if (orgId) request.actor = { ...request.caller.person, orgId } as unknown as Member
    }
    app.all(url, { onRequest }, () => ({ ok: true }))
  }
  t.teardown(() => app.close())
  const call = async (method: 'GET' | 'POST', headers: Record<string, string> = {}, url = '/api/x') =>
    app.inject({ method, url, headers })
  const statuses = async (
    count: number,
    method: 'GET' | 'POST',
    headers: Record<string, string> = {},
    url = '/api/x',
  ) => {
    const all: number[] = []
    for (let i = 0; i < count; i += 1) all.push((await call(method, headers, url)).statusCode)
    return all
  }
  return { clock, call, statuses }
}

t.test('a call over the limit is refused with the time to the next, and allowed after it', async t => {
  const { call, statuses, clock } = await aServer(t)
  t.same(await statuses(3, 'POST'), [200, 200, 200])
  const refused = await call('POST')
  t.equal(refused.statusCode, 429)
  t.equal(refused.json().code, 'APP_TOO_MANY_REQUESTS')
  t.equal(refused.headers['retry-after'], '20')
  clock.advance(20_000)
  t.same(await statuses(2, 'POST'), [200, 429])
  clock.advance(3_600_000)
  t.same(await statuses(4, 'POST'), [200, 200, 200, 429], "a long pause allows no more than a minute's calls")
})

t.test('reads and writes, and two callers, have separate limits', async t => {
  const { statuses } = await aServer(t)
  await statuses(4, 'POST', { 'x-user': 'ana' })
  t.same(await statuses(7, 'GET', { 'x-user': 'ana' }), [200, 200, 200, 200, 200, 200, 429])
  t.same(await statuses(1, 'POST', { 'x-user': 'beto' }), [200])
  t.same(await statuses(1, 'POST'), [200])
})

t.test('a person has one limit from all addresses; anonymous callers have one per address or /64', async t => {
  const { statuses } = await aServer(t)
  const from = (ip: string, user?: string) => ({ 'x-forwarded-for': ip, ...(user ? { 'x-user': user } : {}) })
  await statuses(3, 'POST', from('10.0.0.1', 'ana'))
  t.same(await statuses(1, 'POST', from('10.0.0.2', 'ana')), [429])
  await statuses(3, 'POST', from('10.0.0.3'))
  t.same(await statuses(1, 'POST', from('10.0.0.4')), [200])
  await statuses(3, 'POST', from('2001:db8::1'))
  t.same(await statuses(1, 'POST', from('2001:db8:0:0:ffff::2')), [429])
  t.same(await statuses(1, 'POST', from('2001:db8:0:1::2')), [200])
})

t.test('the writes of an organization are limited together, separately from others', async t => {
  const { statuses, clock } = await aServer(t)
  const of = (org: string, user: string) => ({ 'x-org': org, 'x-user': user })
  t.same(await statuses(3, 'POST', of('bakery', 'ana')), [200, 200, 200])
  t.same(await statuses(3, 'POST', of('bakery', 'beto')), [200, 200, 200])
  t.same(await statuses(1, 'POST', of('bakery', 'carla')), [429], 'although she made no call herself')
  t.same(new Set(await statuses(6, 'GET', of('bakery', 'carla'))), new Set([200]))
  t.same(await statuses(6, 'GET', of('bakery', 'beto')), Array(6).fill(200), 'reads are limited per person')
  t.same(await statuses(1, 'POST', of('garage', 'carla')), [200])
  clock.advance(10_000)
  t.same(await statuses(2, 'POST', of('bakery', 'dario')), [200, 429])
})

t.test('account calls and pages are limited too, separately from the inbox', async t => {
  const { statuses } = await aServer(t)
  const ana = { 'x-user': 'ana' }
  t.same(await statuses(3, 'POST', ana, '/api/auth/x'), [200, 200, 429])
  t.same(await statuses(1, 'POST', ana), [200])
  t.same(await statuses(6, 'GET', ana, '/org/x'), [200, 200, 200, 200, 200, 200])
  t.same(await statuses(1, 'GET', ana, '/api/auth/x'), [429], 'reads share one budget')
  t.same(await statuses(1, 'GET', ana, '/org/x'), [429])
  t.same(await statuses(7, 'GET', {}, '/nowhere'), [404, 404, 404, 404, 404, 404, 429], 'nor unknown paths')
})

t.test('built files, webhooks and health are not counted here', async t => {
  const { statuses } = await aServer(t)
  for (const url of ['/assets/x', '/webhooks/x', '/healthz'])
    t.same(new Set(await statuses(20, 'POST', {}, url)), new Set([200]), url)
})

/** Processes that receive each other's messages at once; `isCut`: not at all. */
const joined = (count: number) => {
  const hearers: ((word: string | undefined) => void)[] = []
  const cable = { isCut: false }
  const heard: (string | undefined)[] = []
  const signals = Array.from(
    { length: count },
    (_, own): Signals => ({
      isShared: true,
      send(_topic, word) {
        heard.push(word)
        for (const [other, hear] of hearers.entries()) if (other !== own && !cable.isCut) hear(word)
      },
      hear: (_topic, hear) => void hearers.push(hear),
    }),
  )
  const lookAll = () => {
    for (const hear of hearers) hear(undefined)
  }
  return { cable, heard, signals, lookAll }
}

t.test('a limit applies over all processes', async t => {
  const { signals, lookAll } = joined(3)
  const clock = handClock()
  const servers = await Promise.all(signals.map(each => aServer(t, { signals: each, clock })))
  const all: number[] = []
  for (const server of [...servers, ...servers, ...servers]) {
    all.push(...(await server.statuses(1, 'GET', { 'x-user': 'ana' })))
    lookAll()
  }
  t.same(all, [200, 200, 200, 200, 200, 200, 429, 429, 429])
  t.same(await servers[1]?.statuses(3, 'POST', { 'x-user': 'ana' }), [200, 200, 200], 'writes have their own limit')
  t.same(await servers[2]?.statuses(1, 'POST', { 'x-user': 'ana' }), [429])
  t.same(await servers[2]?.statuses(1, 'GET', { 'x-user': 'beto' }), [200], 'and so has every other person')
  clock.advance(20_000)
  t.same(await servers[0]?.statuses(2, 'POST', { 'x-user': 'ana' }), [200, 429])
  t.same(await servers[1]?.statuses(1, 'POST', { 'x-user': 'ana' }), [429])
})

t.test('a caller who uses less than a quarter of a limit causes no signals', async t => {
  const { signals, heard } = joined(2)
  const clock = handClock()
  const [one] = await Promise.all(signals.map(each => aServer(t, { signals: each, clock })))
  for (let calls = 0; calls < 20; calls += 1) {
    t.same(await one?.statuses(1, 'GET'), [200])
    clock.advance(40_000)
  }
  t.same(heard, [], "a signal would invalidate every process's cache")
  await one?.statuses(2, 'GET')
  t.equal(heard.length, 1)
})

t.test('processes that cannot signal each other count separately, and together again afterwards', async t => {
  const { signals, cable } = joined(2)
  const clock = handClock()
  const [one, two] = await Promise.all(signals.map(each => aServer(t, { signals: each, clock })))
  cable.isCut = true
  t.same(await one?.statuses(3, 'POST'), [200, 200, 200])
  t.same(await two?.statuses(3, 'POST'), [200, 200, 200])
  cable.isCut = false
  clock.advance(60_000)
  t.same(await one?.statuses(3, 'POST'), [200, 200, 200])
  t.same(await two?.statuses(1, 'POST'), [429])
})
