import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { Person } from '#server/actor.ts'
import { installErrorReply } from '#server/plugins/error-reply.ts'
import { installRateLimit } from '#server/plugins/rate-limit.ts'
import { handClock } from '#test/helpers/clock.ts'

const aServer = async (t: Test) => {
  const clock = handClock()
  const app = Fastify({ trustProxy: true })
  app.decorateRequest('caller')
  app.addHook('onRequest', async request => {
    const userId = request.headers['x-user']
    const person = userId ? ({ userId, language: 'es' } as unknown as Person) : null
    request.caller = { language: 'es', person, member: async () => undefined }
  })
  installErrorReply(app, { translate: (_language, key) => key })
  installRateLimit(app, { clock, limits: { reads: 6, writes: 3 } })
  for (const url of ['/api/x', '/api/auth/x', '/webhooks/x', '/healthz']) app.all(url, () => ({ ok: true }))
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

t.test('one too many is refused with the time to the next, and time makes room', async t => {
  const { call, statuses, clock } = await aServer(t)
  t.same(await statuses(3, 'POST'), [200, 200, 200])
  const refused = await call('POST')
  t.equal(refused.statusCode, 429)
  t.equal(refused.json().code, 'APP_TOO_MANY_REQUESTS')
  t.equal(refused.headers['retry-after'], '20')
  clock.advance(20_000)
  t.same(await statuses(2, 'POST'), [200, 429])
  clock.advance(3_600_000)
  t.same(await statuses(4, 'POST'), [200, 200, 200, 429], 'a long rest fills no more than a minute')
})

t.test('reads and writes, and two callers, do not use up each other', async t => {
  const { statuses } = await aServer(t)
  await statuses(4, 'POST', { 'x-user': 'ana' })
  t.same(await statuses(7, 'GET', { 'x-user': 'ana' }), [200, 200, 200, 200, 200, 200, 429])
  t.same(await statuses(1, 'POST', { 'x-user': 'beto' }), [200])
  t.same(await statuses(1, 'POST'), [200])
})

t.test('a person is the same person from another address; nobody is his address, or his /64', async t => {
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

t.test('sign-in, webhooks and health are not counted here', async t => {
  const { statuses } = await aServer(t)
  for (const url of ['/api/auth/x', '/webhooks/x', '/healthz'])
    t.same(new Set(await statuses(20, 'POST', {}, url)), new Set([200]), url)
})
