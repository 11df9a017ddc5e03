import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { mount } from '#server/platform/http/http.ts'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { createIdempotency } from '#server/platform/http/plugins/idempotency.ts'
import { type EndpointShape, endpoint } from '#shared/kernel/contract.ts'
import { type HandClock, handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const send = endpoint({
  method: 'POST',
  path: '/send',
  access: 'person',
  summary: 'Sends.',
  idempotent: true,
  status: 202,
  body: Type.Object({ text: Type.String(), more: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
  reply: Type.Object({ id: Type.Integer() }),
})
const other = endpoint({ ...send, path: '/other' })

/** With `before`: another process on the same data. */
const aServer = async (
  t: Test,
  before?: { databases: Databases; clock: HandClock; atWork: Set<string> },
  sending: EndpointShape = send,
) => {
  const databases = before?.databases ?? (await freshDatabases())
  const clock = before?.clock ?? handClock()
  /** Live processes. */
  const atWork = before?.atWork ?? new Set<string>()
  const processId = `process ${atWork.size + 1}`
  atWork.add(processId)
  const presence = { id: () => processId, isAtWork: async (_db: unknown, id: string) => atWork.has(id) }
  const stage = {
    runs: 0,
    isDatabaseAway: false,
    work: async (): Promise<unknown> => ({ id: stage.runs, secret: 'not in the schema' }),
  }
  const reached = Object.create(databases, {
    write: {
      get() {
        if (stage.isDatabaseAway) throw new Error('the database is away')
        return databases.write
      },
    },
  }) as Databases
  const idempotency = createIdempotency({ databases: reached, clock, presence })
  const app = Fastify()
  app.decorateRequest('caller')
  app.decorateRequest('actor')
  app.addHook('onRequest', async request => {
    const userId = String(request.headers['x-user'] ?? 'ana')
    const person = {
      kind: 'person',
      userId,
      orgId: String(request.headers['x-organization'] ?? 'org1'),
      language: 'es',
    } as unknown as Member
    request.caller = { language: 'es', person, member: async () => person }
  })
  installErrorReply(app, { translate: (_language, key) => key })
  const inputs: { body?: unknown }[] = []
  const run = (_caller: unknown, input: { body?: unknown }) => {
    inputs.push(input)
    stage.runs += 1
    return stage.work()
  }
  mount(app, 'test', { send: sending, other }, { send: run, other: run }, idempotency.once)
  t.teardown(async () => {
    await app.close()
    if (!before) await databases.close()
  })
  const post = (
    key: string | undefined,
    body: unknown = { text: 'hola' },
    headers: Record<string, string> = {},
    url = '/api/send',
  ) =>
    app.inject({
      method: 'POST',
      url,
      payload: body as object,
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    })
  return { databases, clock, atWork, processId, idempotency, stage, inputs, post }
}

t.test('without a key every call runs', async t => {
  const { post, stage } = await aServer(t)
  await post(undefined)
  await post(undefined)
  t.equal(stage.runs, 2)
})

t.test('the same key gets the first answer, byte by byte, marked as replayed', async t => {
  const { post, stage } = await aServer(t)
  const first = await post('k1', { text: 'hola', more: 1 })
  const again = await post('k1', { more: 1, text: 'hola' })
  t.equal(stage.runs, 1)
  t.equal(first.statusCode, 202)
  t.equal(again.statusCode, 202)
  t.equal(again.body, first.body)
  t.equal(first.body, '{"id":1}', 'fields that the schema does not declare are neither stored nor sent')
  t.equal(again.headers['content-type'], first.headers['content-type'])
  t.equal(first.headers['idempotency-replayed'], undefined)
  t.equal(again.headers['idempotency-replayed'], 'true')
})

t.test('twenty concurrent calls with one key run once; early ones get an in-progress error', async t => {
  const { post, stage } = await aServer(t)
  let finish = () => {}
  const held = new Promise<void>(resolve => {
    finish = resolve
  })
  stage.work = async () => {
    await held
    return { id: 7 }
  }
  let refused = 0
  const all = Array.from({ length: 20 }, () =>
    post('race').then(answer => {
      if (answer.statusCode === 409) refused += 1
      if (refused === 19) finish()
      return answer
    }),
  )
  const early = await Promise.race(all)
  t.equal(early.statusCode, 409)
  t.equal(early.json().code, 'APP_IDEMPOTENCY_IN_PROGRESS')
  t.equal(early.headers['retry-after'], '1')
  const answers = await Promise.all(all)
  t.equal(stage.runs, 1)
  t.equal(answers.filter(answer => answer.statusCode === 202).length, 1)
  t.equal(answers.filter(answer => answer.statusCode === 409).length, 19)
  t.equal((await post('race')).body, '{"id":7}')
})

t.test('one key for two contents or two calls is refused and runs nothing', async t => {
  const { post, stage } = await aServer(t)
  await post('k')
  for (const answer of [await post('k', { text: 'chau' }), await post('k', { text: 'hola' }, {}, '/api/other')]) {
    t.equal(answer.statusCode, 409)
    t.equal(answer.json().code, 'APP_IDEMPOTENCY_MISMATCH')
  }
  t.equal(stage.runs, 1)
})

t.test('keys of two people, and of one person in two organizations, are different keys', async t => {
  const { post, stage } = await aServer(t)
  await post('k')
  await post('k', { text: 'hola' }, { 'x-user': 'beto' })
  await post('k', { text: 'hola' }, { 'x-organization': 'org2' })
  t.equal(stage.runs, 3)
})

t.test('a failed call releases its key', async t => {
  const { post, stage } = await aServer(t)
  const { work } = stage
  for (const fail of [() => Promise.reject(appErrors.FORBIDDEN()), () => Promise.reject(new Error('x'))]) {
    stage.work = fail
    t.not((await post('k')).statusCode, 202)
  }
  t.equal((await post('k', { wrong: 1 })).statusCode, 400, 'an invalid body does not claim the key')
  stage.work = work
  t.equal((await post('k')).statusCode, 202)
  t.equal(stage.runs, 3)
})

t.test('a key of a dead call is taken over after a minute, not before; a late answer changes nothing', async t => {
  const { post, stage, clock } = await aServer(t)
  let finish = () => {}
  const held = new Promise<void>(resolve => {
    finish = resolve
  })
  stage.work = async () => {
    await held
    return { id: 1 }
  }
  const dead = post('k')
  while (stage.runs === 0) await new Promise(resolve => setImmediate(resolve))
  clock.advance(59_000)
  t.equal((await post('k')).statusCode, 409)
  clock.advance(1_000)
  stage.work = async () => ({ id: 2 })
  t.equal((await post('k', { text: 'otro' })).statusCode, 409, 'not with another body')
  t.equal((await post('k')).body, '{"id":2}')
  finish()
  await dead
  t.equal((await post('k')).body, '{"id":2}')
})

t.test('a key of a dead process is taken over at once, that of a live process is not', async t => {
  const { databases, clock, atWork, processId, post, stage } = await aServer(t)
  const lost = Promise.withResolvers<unknown>()
  stage.work = () => lost.promise
  const first = post('k')
  while (stage.runs === 0) await new Promise(resolve => setImmediate(resolve))
  const next = await aServer(t, { databases, clock, atWork })
  t.equal((await next.post('k')).json().code, 'APP_IDEMPOTENCY_IN_PROGRESS')
  clock.advance(9 * 60_000)
  t.equal((await next.post('k')).json().code, 'APP_IDEMPOTENCY_IN_PROGRESS', 'nor because a clock is minutes ahead')
  atWork.delete(processId)
  t.equal((await next.post('k')).statusCode, 202)
  t.equal(next.stage.runs, 1)
  lost.resolve({ id: 0 })
  await first
})

t.test('if a body has a client key, the header is its default', async t => {
  const body = Type.Object({ text: Type.String(), clientKey: Type.Optional(Type.String()) })
  const { inputs, post } = await aServer(t, undefined, endpoint({ ...send, body }))
  await post('a key of any form')
  await post('another', { text: 'hola', clientKey: 'mine' })
  await post(undefined)
  const [first, second, third] = inputs.map(({ body }) => (body as { clientKey?: string }).clientKey)
  t.match(first, /^[A-Za-z0-9_-]{8,64}$/)
  t.equal(second, 'mine')
  t.equal(third, undefined)
})

t.test('after a day the key is free again, and is deleted', async t => {
  const { post, stage, clock, idempotency, databases } = await aServer(t)
  await post('old')
  await post('older')
  clock.advance(24 * 60 * 60 * 1000)
  t.equal((await post('old', { text: 'otra cosa' })).statusCode, 202)
  t.equal(stage.runs, 3)
  clock.advance(1000)
  t.equal(await idempotency.prune(), 1)
  const kept = await databases.read.selectFrom('idempotency').select('key').execute()
  t.same(kept, [{ key: 'old' }])
})

t.test('a key is one to two hundred printable characters', async t => {
  const { post, stage } = await aServer(t)
  for (const key of ['', 'x'.repeat(201), 'ñ', 'a\tb']) {
    const answer = await post(key)
    t.equal(answer.statusCode, 400, JSON.stringify(key.slice(0, 10)))
    t.equal(answer.json().code, 'APP_IDEMPOTENCY_KEY_INVALID')
  }
  t.equal((await post('x'.repeat(200))).statusCode, 202)
  t.equal(stage.runs, 1)
})

t.test('the outcome of a call is stored once the database is back, not after a minute', async t => {
  for (const end of ['fails', 'succeeds'] as const) {
    const { post, stage } = await aServer(t)
    stage.work = async () => {
      stage.isDatabaseAway = true
      if (end === 'fails') throw appErrors.UNAVAILABLE()
      return { id: 1 }
    }
    t.equal((await post('k')).statusCode, end === 'fails' ? 503 : 202)
    stage.work = async () => ({ id: 2 })
    stage.isDatabaseAway = false
    let again = await post('k')
    t.equal(again.statusCode, 409, `a call that ${end} is at work as long as nobody could write its end`)
    while (again.statusCode === 409) again = await post('k')
    t.equal(again.body, end === 'fails' ? '{"id":2}' : '{"id":1}')
    t.equal(again.headers['idempotency-replayed'], end === 'fails' ? undefined : 'true')
    t.equal(stage.runs, end === 'fails' ? 2 : 1)
  }
})
