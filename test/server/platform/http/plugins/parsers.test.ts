import fc from 'fast-check'
import Fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import type { Caller } from '#server/platform/http/access.ts'
import type { KeyHolder, Person } from '#server/platform/http/actor.ts'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { acceptRaw, installParsers } from '#server/platform/http/plugins/parsers.ts'
import { anonymousLimitValues, bodyLimitBytes, bodyLimitValues, webhookLimitBytes } from '#shared/kernel/limits.ts'

const aServer = async (t: Test, caller?: Caller) => {
  const app = Fastify()
  app.decorateRequest('caller')
  app.addHook('onRequest', async request => {
    if (caller) request.caller = caller
  })
  installErrorReply(app, { translate: (_language, key) => key })
  installParsers(app)
  const echo = async (request: FastifyRequest) => ({ body: request.body ?? null })
  app.post('/api/echo', echo)
  const bare = { path: '/one', access: 'anyone', reply: Type.Object({}), summary: '' } as const
  for (const method of ['DELETE', 'POST'] as const)
    app.route({ method, url: '/api/one', config: { endpoint: { ...bare, method } }, handler: echo })
  const endpoint = { ...bare, method: 'POST', body: Type.Object({}) } as const
  app.route({ method: 'POST', url: '/api/other', config: { endpoint }, handler: echo })
  app.register(async scope => {
    acceptRaw(scope)
    scope.post('/webhooks/x', async request => ({ bytes: (request.body as Buffer).toString('base64') }))
  })
  await app.ready()
  t.teardown(() => app.close())
  const post = (payload: string | Buffer, contentType: string | undefined = 'application/json', url = '/api/echo') =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    })
  return { app, post }
}

t.test('JSON is read whatever the case and the UTF-8 charset of its type', async t => {
  const { post } = await aServer(t)
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; charset=utf8',
  ]) {
    const answer = await post('{"a":"ñ"}', type)
    t.equal(answer.statusCode, 200, type)
    t.same(answer.json(), { body: { a: 'ñ' } })
  }
})

t.test('anything that is not JSON is refused by its type, and tabs, spaces and duplicates do not help', async t => {
  const { post } = await aServer(t)
  const types = [
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'application/jsonx',
    'application/json/x',
    'text/json',
    'application/\tjson',
    'application/vnd.api+json',
    '*/*',
    'json',
    '/',
    ';',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'undefined',
  ]
  for (const type of types) {
    const answer = await post('{"a":1}', type)
    t.equal(answer.statusCode, 415, type)
    t.equal(answer.json().code, 'APP_WRONG_CONTENT_TYPE')
  }
  t.equal((await post('{"a":1}', '')).statusCode, 415, 'no content type')
})

t.test('no content type makes a body pass for something it is not', async t => {
  const { post } = await aServer(t)
  const piece = fc.constantFrom(
    'application/json',
    'text/plain',
    ';',
    ' ',
    '\t',
    ',',
    '"',
    'charset=',
    'utf-8',
    'a=b',
    '\\',
    '/',
    'x',
    '=',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async pieces => {
      const answer = await post('{"a":1}', pieces.join(''))
      if (answer.statusCode === 200) t.strictSame(answer.json(), { body: { a: 1 } }, JSON.stringify(pieces))
      else t.equal(answer.statusCode, 415, JSON.stringify(pieces))
    }),
    { numRuns: 500 },
  )
})

t.test('truncated, empty, poisoned, deep and wrongly encoded bodies get their own errors', async t => {
  const { post } = await aServer(t)
  const cases: [string | Buffer, number, string][] = [
    ['{"a":', 400, 'APP_BAD_JSON'],
    ['', 400, 'APP_BAD_JSON'],
    ['nonsense', 400, 'APP_BAD_JSON'],
    ['<html>', 400, 'APP_BAD_JSON'],
    ['{"__proto__":{"admin":true}}', 400, 'APP_BAD_JSON'],
    ['{"a":{"constructor":{"prototype":{"x":1}}}}', 400, 'APP_BAD_JSON'],
    ['{"\\u005f\\u005fproto__":1}', 400, 'APP_BAD_JSON'],
    ['['.repeat(200_000), 400, 'APP_BAD_JSON'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 400, 'APP_BAD_JSON'],
    [Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, 'APP_BAD_TEXT'],
  ]
  for (const [body, status, code] of cases) {
    const answer = await post(body)
    t.equal(answer.statusCode, status, String(body).slice(0, 40))
    t.equal(answer.json().code, code)
  }
  t.equal((await post(`${'['.repeat(64)}${']'.repeat(64)}`)).statusCode, 200)
  t.equal((await post(JSON.stringify({ a: '[[[\\"'.repeat(100) }))).statusCode, 200, 'brackets in a string are text')
})

t.test('a call without a body may have a content type', async t => {
  const { app, post } = await aServer(t)
  const naming = (method: 'DELETE' | 'POST', url: string, payload: string) =>
    app.inject({ method, url, payload, headers: { 'content-type': 'application/json' } })
  t.same((await naming('DELETE', '/api/one', '')).json(), { body: null })
  t.same((await naming('POST', '/api/one', '')).json(), { body: null })
  t.equal((await naming('DELETE', '/api/one', '{')).json().code, 'APP_BAD_JSON', 'an existing body is read')
  t.equal((await post('', 'text/plain', '/api/one')).statusCode, 415, 'another content type is refused')
  t.equal((await naming('POST', '/api/other', '')).json().code, 'APP_BAD_JSON', 'a required body must not be empty')
})

t.test('a body over the limit is refused by its stated and by its actual size', async t => {
  const { app, post } = await aServer(t)
  const body = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
  t.equal((await post(body(bodyLimitBytes))).statusCode, 200)
  const over = await post(body(bodyLimitBytes + 1))
  t.equal(over.statusCode, 413)
  t.equal(over.json().code, 'APP_TOO_LARGE')
  const { Readable } = await import('node:stream')
  const streamed = await app.inject({
    method: 'POST',
    url: '/api/echo',
    headers: { 'content-type': 'application/json' },
    payload: Readable.from([Buffer.from(body(bodyLimitBytes)), Buffer.from('  ')]),
  })
  t.equal(streamed.statusCode, 413)
})

t.test('a key may send as many values as a person; anonymous callers and invalid keys only a few', async t => {
  const caller = (asks: Pick<Caller, 'person' | 'key'>): Caller => ({
    language: 'es',
    member: async () => undefined,
    ...asks,
  })
  const limits: [string, Caller | undefined, number][] = [
    ['a person', caller({ person: {} as Person }), bodyLimitValues],
    ['a key', caller({ person: null, key: {} as KeyHolder }), bodyLimitValues],
    ['an invalid key', caller({ person: null, key: 'invalid' }), anonymousLimitValues],
    ['nobody', caller({ person: null }), anonymousLimitValues],
    ['before the session is known', undefined, anonymousLimitValues],
  ]
  for (const [who, asks, most] of limits) {
    const { post } = await aServer(t, asks)
    // The list itself is a value, too.
    const values = (count: number) => JSON.stringify(Array.from({ length: count - 1 }, () => 1))
    t.equal((await post(values(most))).statusCode, 200, `${who}: ${most} fit`)
    t.equal((await post(values(most + 1))).statusCode, 413, `${who}: one more does not`)
  }
})

t.test('a webhook’s body is bytes, whatever its type', async t => {
  const { post } = await aServer(t)
  const bytes = Buffer.from([0xff, 0x00, 0x7b, 0x22])
  for (const type of ['application/json', 'text/html', 'application/json; charset=utf-16', undefined]) {
    const answer = await post(bytes, type, '/webhooks/x')
    t.equal(answer.statusCode, 200, String(type))
    t.equal(answer.json().bytes, bytes.toString('base64'))
  }
  t.equal((await post(Buffer.alloc(webhookLimitBytes), 'a/b', '/webhooks/x')).statusCode, 200)
  t.equal((await post(Buffer.alloc(webhookLimitBytes + 1), 'a/b', '/webhooks/x')).statusCode, 413)
})
