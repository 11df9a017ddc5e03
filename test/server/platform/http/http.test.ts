import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { seesAll } from '#server/identity/visibility/scope.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { mount } from '#server/platform/http/http.ts'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { createMemo } from '#server/platform/work/memo.ts'
import { type EndpointShape, endpoint } from '#shared/kernel/contract.ts'

const query = Type.Object(
  { page: Type.Optional(Type.Integer({ minimum: 1 })), name: Type.Optional(Type.String()) },
  { additionalProperties: false },
)
const read = endpoint({
  method: 'GET',
  path: '/thing/:id',
  access: 'member',
  sameFor: 'organization',
  summary: 'A thing.',
  params: Type.Object({ id: Type.String() }),
  query,
  reply: Type.Object({ text: Type.String() }),
})
const own = endpoint({ ...read, path: '/own/:id', sameFor: 'member', peopleOnly: true })
const every = async (_request: unknown, _reply: unknown, run: () => Promise<unknown>) => run()

/** A server that records what its service was asked; headers name the caller. */
const aServer = async (t: Test) => {
  const stage = { version: 1 as number | undefined, asked: [] as unknown[] }
  const app = Fastify()
  app.decorateRequest('caller')
  app.decorateRequest('actor')
  app.addHook('onRequest', async request => {
    const named = (name: string, fallback: string) => String(request.headers[name] ?? fallback)
    const person = {
      kind: 'person',
      scope: seesAll,
      userId: named('x-user', 'ana'),
      orgId: named('x-organization', 'org1'),
      role: named('x-role', 'owner'),
      language: named('x-language', 'es'),
      email: 'ana@example.com',
      activeOrgId: 'org1',
    } as unknown as Member
    request.caller = { language: person.language, person, member: async () => person }
  })
  installErrorReply(app, { translate: (_language, key) => key })
  const answer = async (caller: unknown, input: unknown) => {
    stage.asked.push({ caller, input })
    return { text: `ñandú ${stage.asked.length}`, secret: 'not in the schema' }
  }
  mount(app, 'test', { read, own }, { read: answer, own: answer }, every, {
    memo: createMemo({ version: () => stage.version }),
  })
  t.teardown(() => app.close())
  return { app, stage, get: (url: string, headers = {}) => app.inject({ url: `/api${url}`, headers }) }
}

t.test('a shared answer is computed once, and reduced to its schema', async t => {
  const { app, stage, get } = await aServer(t)
  const first = await get('/thing/7?page=2')
  const again = await get('/thing/7?page=2', { 'x-user': 'bruno', 'x-role': 'viewer' })
  t.equal(first.body, '{"text":"ñandú 1"}')
  t.equal(again.body, first.body)
  t.equal(again.headers['content-length'], String(Buffer.byteLength(first.body)))
  t.equal(again.headers['content-type'], 'application/json; charset=utf-8')
  t.same(stage.asked, [
    { caller: { orgId: 'org1', language: 'es' }, input: { params: { id: '7' }, query: { page: 2 } } },
  ])
  const head = await app.inject({ method: 'HEAD', url: '/api/thing/7?page=2' })
  t.equal(head.body, '')
  t.equal(head.headers['content-length'], first.headers['content-length'])
  t.equal(stage.asked.length, 1)
})

t.test('concurrent callers share one computation', async t => {
  const { stage, get } = await aServer(t)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => get('/thing/7', { 'x-user': `user${i}` })))
  t.same([...new Set(answers.map(({ body }) => body))], ['{"text":"ñandú 1"}'])
  t.equal(stage.asked.length, 1)
})

t.test('another input or another kind of caller is computed separately', async t => {
  const { stage, get } = await aServer(t)
  const asks: [string, object?][] = [
    ['/thing/7'],
    ['/thing/8'],
    ['/thing/7?page=1'],
    ['/thing/7', { 'x-organization': 'org2' }],
    ['/thing/7', { 'x-language': 'en' }],
    ['/own/7'],
    ['/own/7', { 'x-user': 'bruno' }],
    ['/own/7', { 'x-role': 'viewer' }],
  ]
  for (let round = 0; round < 2; round += 1)
    for (const [i, [url, headers]] of asks.entries())
      t.equal((await get(url, headers)).body, `{"text":"ñandú ${i + 1}"}`, `${url} ${JSON.stringify(headers)}`)
  t.equal(stage.asked.length, asks.length)
})

t.test('after a commit, or without versions, each call is computed', async t => {
  const { stage, get } = await aServer(t)
  for (const version of [1, 2, undefined, undefined]) {
    stage.version = version
    await get('/thing/7')
  }
  t.equal(stage.asked.length, 4)
})

t.test('invalid input is refused each time, and never reaches the service', async t => {
  const { stage, get } = await aServer(t)
  for (let i = 0; i < 2; i += 1) {
    const refused = await get('/thing/7?page=0')
    t.equal(refused.statusCode, 400)
    t.equal(refused.json().details[0].field, 'query.page')
  }
  t.equal(stage.asked.length, 0)
})

t.test('only a reading call of members can have shared answers', async t => {
  const wrong: EndpointShape[] = [
    { ...read, method: 'POST' },
    { ...read, access: 'person' },
    { ...read, access: 'anyone' },
  ]
  for (const shape of wrong)
    t.throws(() => mount(Fastify(), 'test', { read: shape }, { read: () => ({}) }, every), /only a GET for members/)
})
