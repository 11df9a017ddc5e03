/** How many large answers are made at once, over HTTP and for pages; counted, never timed. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { seesAll } from '#server/identity/visibility/scope.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { mount } from '#server/platform/http/http.ts'
import { createLargeAnswers } from '#server/platform/http/large-answers.ts'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { createMemo } from '#server/platform/work/memo.ts'
import { createInProcessApi } from '#server/web/in-process-api.ts'
import { type EndpointShape, endpoint } from '#shared/kernel/contract.ts'

const small = endpoint({
  method: 'GET',
  path: '/small',
  access: 'member',
  summary: 'A thing.',
  query: Type.Object({ search: Type.Optional(Type.String()) }),
  reply: Type.Object({ text: Type.String() }),
})
const large = endpoint({ ...small, path: '/large', large: true })
const shared = endpoint({ ...large, path: '/shared', sameFor: 'organization' })
const calls = { small, large, shared }
const every = async (_request: unknown, _reply: unknown, run: () => Promise<unknown>) => run()

const aPerson = (userId: string, orgId: string) =>
  ({ kind: 'person', scope: seesAll, userId, orgId, role: 'owner', language: 'es', activeOrgId: orgId }) as Member

const aServer = async (t: Test) => {
  const running = new Map<string, number>()
  const most = new Map<string, number>()
  const answer = async ({ userId, orgId }: Member) => {
    const names = [userId, orgId]
    for (const name of names) {
      const now = (running.get(name) ?? 0) + 1
      running.set(name, now)
      most.set(name, Math.max(most.get(name) ?? 0, now))
    }
    for (let turn = 0; turn < 3; turn += 1) await new Promise(resolve => setImmediate(resolve))
    for (const name of names) running.set(name, (running.get(name) ?? 0) - 1)
    return { text: 'ñandú' }
  }
  const service = { small: answer, large: answer, shared: answer }
  const app = Fastify()
  app.decorateRequest('caller')
  app.decorateRequest('actor')
  app.addHook('onRequest', async request => {
    const person = aPerson(String(request.headers['x-user']), String(request.headers['x-organization'] ?? 'org1'))
    request.caller = { language: 'es', person, member: async () => person }
  })
  installErrorReply(app, { translate: (_language, key) => key })
  const largeAnswers = createLargeAnswers()
  const memo = createMemo({ version: () => 1 })
  mount(app, 'test', calls, service, every, { memo, largeAnswers })
  const pages = createInProcessApi({ test: service } as never, undefined, { test: calls }, largeAnswers)
  t.teardown(() => app.close())
  const get = (url: string, user: string, org = 'org1') =>
    app.inject({ url: `/api${url}`, headers: { 'x-user': user, 'x-organization': org } })
  const page = (user: string) => {
    const person = aPerson(user, 'org1')
    const caller = { language: 'es' as const, person, member: async () => person }
    const asking = {
      caller,
      requestId: 'req',
      translate: (key: string) => key,
      log: { error: () => undefined } as never,
    }
    const api = pages.open(asking)('org1') as unknown as Record<string, Record<string, () => Promise<unknown>>>
    return (api.test as Record<string, () => Promise<unknown>>).large?.()
  }
  return { get, page, most }
}
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))

t.test('one at a time is made for a person, two for an organization, and all are answered', async t => {
  const { get, most } = await aServer(t)
  const asked = times(60, () => get('/large', 'ana'))
  const others = times(8, i => get('/large', `user${i}`))
  const elsewhere = times(8, i => get('/large', `else${i}`, 'org2'))
  for (const reply of await Promise.all([...asked, ...others, ...elsewhere])) t.equal(reply.statusCode, 200)
  t.equal(most.get('ana'), 1)
  t.equal(most.get('org1'), 2)
  t.equal(most.get('org2'), 2)
})

t.test('a caller beyond sixty waiting answers gets 429 with retry-after, another caller does not', async t => {
  const { get } = await aServer(t)
  const asked = times(70, () => get('/large', 'ana'))
  const other = get('/large', 'bruno')
  const replies = await Promise.all(asked)
  const refused = replies.filter(({ statusCode }) => statusCode === 429)
  t.equal(refused.length, 9, 'one was made, sixty waited')
  t.equal(refused[0]?.json().code, 'APP_TOO_MANY_REQUESTS')
  t.equal(refused[0]?.headers['retry-after'], '2')
  t.equal((await other).statusCode, 200)
  t.equal((await get('/large', 'ana')).statusCode, 200)
})

t.test('answers for pages wait in the same line', async t => {
  const { get, page, most } = await aServer(t)
  await Promise.all([...times(10, () => get('/large', 'ana')), ...times(10, () => page('ana'))])
  t.equal(most.get('ana'), 1)
})

t.test('shared answers are made once, and different ones one after another', async t => {
  const { get, most } = await aServer(t)
  await Promise.all(times(20, i => get(`/shared?search=${i % 10}`, 'ana')))
  t.equal(most.get('org1'), 1)
})

t.test('a shared answer does not wait behind what one of its readers asked for', async t => {
  const { get, most } = await aServer(t)
  const order: string[] = []
  const own = times(10, i => get('/large', 'ana').then(() => order.push(`own ${i}`)))
  const both = Promise.all([get('/shared', 'ana'), get('/shared', 'bruno')]).then(() => order.push('shared'))
  await Promise.all([...own, both])
  t.ok(order.indexOf('shared') < 5, order.join())
  t.equal(most.get('org1'), 2)
})

t.test('keys of an organization stand in one line, and services in lines of their own', async t => {
  const { make } = createLargeAnswers()
  let [running, most] = [0, 0]
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < 3; turn += 1) await new Promise(resolve => setImmediate(resolve))
    running -= 1
  }
  const key = (keyId: string) => ({ kind: 'key', keyId, orgId: 'org1' }) as never
  await Promise.all(times(10, i => make({ caller: key(`k${i}`), service: 'stats', isShared: false }, work)))
  t.equal(most, 1)
  const caller = aPerson('ana', 'org1')
  await Promise.all(times(3, i => make({ caller, service: `service${i}`, isShared: false }, work)))
  t.equal(most, 3)
})

t.test('a queued answer whose caller has left is not made', async t => {
  const { make } = createLargeAnswers()
  let made = 0
  const work = async () => {
    made += 1
  }
  const about = { caller: aPerson('ana', 'org1'), service: 'stats', isShared: false }
  const asked = times(5, i =>
    make({ ...about, isWanted: () => i !== 2 }, work).then(
      () => true,
      () => false,
    ),
  )
  t.same(await Promise.all(asked), [true, true, false, true, true])
  t.equal(made, 4)
})

t.test('answers that are not large do not wait for large ones', async t => {
  const { get, most } = await aServer(t)
  await Promise.all(times(20, () => get('/small', 'ana')))
  t.equal(most.get('ana'), 20)
})

t.test('only a call in an organization can be large', async t => {
  for (const access of ['anyone', 'person'] as const) {
    const wrong: EndpointShape = { ...large, access }
    t.throws(() => mount(Fastify(), 'test', { large: wrong }, { large: () => ({}) }, every), /inside an organization/)
  }
})
