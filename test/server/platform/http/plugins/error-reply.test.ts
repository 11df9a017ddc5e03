import { type AddressInfo, connect } from 'node:net'
import Fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { AppError, appErrors, errorCodes, forbidden, outOfScope } from '#server/platform/http/errors.ts'
import { mount } from '#server/platform/http/http.ts'
import { frameworkErrors, installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { installParsers } from '#server/platform/http/plugins/parsers.ts'
import { createRefusalLog } from '#server/platform/http/plugins/refusal-log.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'

const i18n = createServerI18n()
const translate = (language: Language, key: string, params?: Record<string, string | number>) =>
  i18n.translator(language)(key, params)

const thing = endpoint({
  method: 'POST',
  path: '/thing/:id',
  access: 'anyone',
  summary: 'A thing.',
  params: Type.Object({ id: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
  body: Type.Object(
    {
      name: Type.String({ minLength: 2, maxLength: 5 }),
      kind: Type.Optional(Type.Enum(['a', 'b'])),
      list: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
      code: Type.Optional(Type.String({ pattern: '^x' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ ok: Type.Boolean() }),
})

const aServer = async (t: Test, fail: () => unknown = () => ({ ok: true }), level = 'warn') => {
  const lines: string[] = []
  const app = Fastify({
    logger: { level, stream: { write: (line: string) => void lines.push(line) } },
    frameworkErrors: frameworkErrors({ translate }),
    genReqId: () => 'req-1',
  })
  app.decorateRequest('caller')
  app.decorateRequest('actor')
  app.addHook('onRequest', async request => {
    const language: Language = request.headers['accept-language'] === 'en' ? 'en' : 'es'
    request.caller = { language, person: null, member: async () => undefined }
  })
  installErrorReply(app, { translate })
  installParsers(app)
  mount(app, 'test', { thing }, { thing: fail }, (_request, _reply, run) => run())
  t.teardown(() => app.close())
  const post = (body: unknown, language = 'es', url = '/api/thing/1') =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'accept-language': language },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { app, lines, post }
}

t.test('a refusal is logged with time, address, call and reason, and nothing that was sent', async t => {
  for (const error of [appErrors.SIGN_IN_REQUIRED(), forbidden('org:update'), appErrors.TOO_MANY_REQUESTS()]) {
    const refuse = () => {
      throw error
    }
    const { post, lines } = await aServer(t, refuse, 'info')
    await post({ name: 'anita' })
    const own = lines.filter(line => JSON.parse(line).code)
    t.equal(own.length, 1, error.code)
    t.match(JSON.parse(own[0] ?? ''), {
      level: 30,
      time: Number,
      requestId: 'req-1',
      method: 'POST',
      route: '/api/thing/:id',
      address: '127.0.0.1',
      code: error.code,
      status: error.status,
      msg: 'refused',
    })
    t.notMatch(own[0], 'anita')
  }
  const { post, lines } = await aServer(t, undefined, 'info')
  await post({ name: 'x' })
  t.same(
    lines.filter(line => JSON.parse(line).code),
    [],
    'typing errors are not logged',
  )
})

t.test('endless refusals leave fifty lines a second and the number omitted', async t => {
  let now = 0
  const log = createRefusalLog(() => now)
  const lines: [string, object][] = []
  const write = (level: string) => (facts: object) => void lines.push([level, facts])
  const request = { log: { info: write('info'), warn: write('warn') }, routeOptions: {} } as unknown as FastifyRequest
  for (let count = 0; count < 80; count += 1) log(request, appErrors.SIGN_IN_REQUIRED())
  t.equal(lines.length, 50)
  now = 1000
  log(request, appErrors.SIGN_IN_REQUIRED())
  t.same(lines[50], ['warn', { leftOut: 30 }])
  t.equal(lines.length, 52)
})

t.test('a locked database or a full disk answers 503, is logged, and reveals nothing', async t => {
  for (const code of ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR_FSYNC', 'SQLITE_READONLY']) {
    const { post, lines } = await aServer(t, () => {
      throw Object.assign(new Error('disk of /srv/secret'), { code })
    })
    const reply = await post({ name: 'ana' })
    t.equal(reply.statusCode, 503, code)
    t.match(reply.headers, { 'retry-after': /^\d+$/, 'x-content-type-options': 'nosniff' })
    t.equal(reply.json().code, 'APP_UNAVAILABLE')
    t.notMatch(reply.body, /SQLITE|srv/)
    t.match(lines.join(), code)
  }
})

t.test('a refusal has code, status, a text in the caller’s language and the request’s id', async t => {
  const { post } = await aServer(t, () => {
    throw appErrors.FORBIDDEN()
  })
  const es = await post({ name: 'ana' })
  t.equal(es.statusCode, 403)
  t.equal(es.headers['cache-control'], 'no-store')
  t.match(es.headers['content-type'], 'application/json')
  t.same(es.json(), {
    statusCode: 403,
    code: 'APP_FORBIDDEN',
    message: 'No tenés permiso para hacer esto.',
    requestId: 'req-1',
  })
  t.equal((await post({ name: 'ana' }, 'en')).json().message, 'Not authorized')
})

t.test('a refusal for a missing right names it, to a person and to a key', async t => {
  let refusal = forbidden('member:manage')
  const { post } = await aServer(t, () => {
    throw refusal
  })
  const words = async (language: string) => {
    const { code, message } = (await post({ name: 'ana' }, language)).json()
    t.equal(code, 'APP_FORBIDDEN')
    return message
  }
  t.equal(await words('en'), 'You are not allowed to access resource: member:manage')
  t.equal(await words('es'), 'No tenés permiso para acceder al recurso: member:manage')
  refusal = outOfScope('chat:read')
  t.equal(await words('en'), 'unauthorized to access resource "chat:read"')
})

t.test('every invalid field is named, with its limit, in both languages', async t => {
  const { post } = await aServer(t)
  const bad = { name: 'x', kind: 'c', list: ['1', '2', '3'], count: 0, code: 'y', extra: 1 }
  const es = (await post(bad, 'es', '/api/thing/1')).json()
  t.equal(es.code, 'APP_VALIDATION')
  t.equal(es.message, 'Hay datos que no son válidos.')
  const byField = (wire: { details: { field: string; message: string }[] }) =>
    Object.fromEntries(wire.details.map(detail => [detail.field, detail.message]))
  t.same(byField(es), {
    'body.name': 'Es demasiado corto (mínimo de caracteres: 2).',
    'body.kind': 'No es una de las opciones.',
    'body.list': 'Tiene demasiados elementos (máximo: 2).',
    'body.count': 'Tiene que ser 1 o más.',
    'body.code': 'No tiene la forma esperada.',
    'body.extra': 'Este campo no existe.',
  })
  const en = (await post({ name: 'xxxxxx', count: 10, kind: 1 }, 'en')).json()
  t.same(byField(en), {
    'body.name': "It's too long (maximum characters: 5).",
    'body.count': 'It must be 9 or less.',
    'body.kind': "It isn't one of the options.",
  })
  t.same(byField((await post({})).json()), { 'body.name': 'Falta este campo.' })
  t.same(byField((await post({ name: 3 })).json()), { 'body.name': 'No es del tipo esperado (string).' })
  t.same(byField((await post({ name: 'ana' }, 'es', '/api/thing/x')).json()), {
    'params.id': 'No es del tipo esperado (integer).',
  })
  const text = await post({ name: 'a\u0000' })
  t.equal(text.json().code, 'APP_BAD_TEXT')
  t.equal(text.json().details[0].field, 'body.name')
})

t.test('every code and every fault of a field has a text in both languages', async t => {
  const faults = ['required', 'unknown', 'type', 'minLength', 'maxLength', 'pattern', 'enum', 'minimum', 'maximum']
  for (const language of ['es', 'en'] as const) {
    for (const code of [...errorCodes.keys()].filter(one => one.startsWith('APP_')))
      t.not(translate(language, `errors:${code}`), code)
    for (const fault of [...faults, 'minItems', 'maxItems', 'text', 'format', 'invalid', 'anyOf', 'const'])
      t.not(translate(language, `errors:field.${fault}`), `field.${fault}`)
  }
})

t.test('an unknown fault has a general text', async t => {
  const { post } = await aServer(t, () => {
    throw new InvalidInput([{ field: 'body.name', code: 'somethingNew', params: {} }])
  })
  t.equal((await post({ name: 'ana' })).json().details[0].message, 'No es válido.')
})

t.test('a temporary refusal has retry-after', async t => {
  const { post } = await aServer(t, () => {
    throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: 2.2 })
  })
  const answer = await post({ name: 'ana' })
  t.equal(answer.statusCode, 429)
  t.equal(answer.headers['retry-after'], '3')
})

t.test('an unexpected error has a general text in the reply and everything but secrets in the log', async t => {
  const { post, lines } = await aServer(t, () => {
    const cause = new Error(
      'connect with Authorization: Bearer EAAGm0PX4ZCpsBAKZA and access_token=EAAGm0PX4ZCps refused',
    )
    throw Object.assign(new Error('the secret plan failed at /srv/db', { cause }), {
      password: 'hunter2',
      attempts: 3,
      parameters: ['what Ana wrote'],
    })
  })
  const answer = await post({ name: 'ana' })
  t.equal(answer.statusCode, 500)
  t.same(answer.json(), {
    statusCode: 500,
    code: 'APP_INTERNAL',
    message:
      'Algo falló de nuestro lado. Probá de nuevo y, si sigue, pasale este código a quien administra esta instalación: req-1',
    requestId: 'req-1',
  })
  t.equal(lines.length, 1)
  const [line = ''] = lines
  t.match(line, 'the secret plan failed')
  t.match(line, '"attempts":3')
  t.match(line, '"route":"/api/thing/:id"')
  for (const secret of ['hunter2', 'EAAGm0', 'what Ana wrote']) t.notOk(line.includes(secret), secret)
})

t.test('the status of a library’s error is not sent', async t => {
  const { post } = await aServer(t, () => {
    throw Object.assign(new Error('upstream internals'), { statusCode: 404, code: 'E_WHATEVER' })
  })
  t.equal((await post({ name: 'ana' })).statusCode, 500)
  const known = await aServer(t, () => {
    throw new AppError('NUMBERS_UNREACHABLE', 502, { params: { code: 'x' } })
  })
  const answer = await known.post({ name: 'ana' })
  t.equal(answer.statusCode, 502)
  t.equal(JSON.parse(known.lines[0] as string).level, 40)
})

t.test('a path without a route, or that cannot be decoded, answers 404', async t => {
  const { app } = await aServer(t)
  for (const url of ['/api/nothing', '/api/thing', '/api/%', '/api/%c0%af']) {
    const answer = await app.inject({ method: 'GET', url, headers: { 'accept-language': 'es' } })
    t.equal(answer.statusCode, 404, url)
    t.equal(answer.json().code, 'APP_NOT_FOUND')
    t.equal(answer.json().message, 'No existe, o no tenés acceso.')
  }
})

t.test('a scope with its own handlers keeps them', async t => {
  const { app } = await aServer(t)
  app.register(async scope => {
    scope.setErrorHandler((_error, _request, reply) => reply.status(418).send({ error: { code: 1 } }))
    scope.get('/sandbox/graph/x', () => {
      throw new Error('x')
    })
  })
  const answer = await app.inject('/sandbox/graph/x')
  t.equal(answer.statusCode, 418)
})

/** A client that sends everything before it reads: with a length, or in chunks. */
const sendWhole = (port: number, bytes: number, isChunked: boolean) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let read = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', text => {
      read += text
      if (read.includes('APP_TOO_LARGE')) socket.end()
    })
    socket.on('close', () => resolve(read))
    const head = ['POST /api/thing/1 HTTP/1.1', 'host: x', 'content-type: application/json']
    const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`
    socket.write(`${[...head, length].join('\r\n')}\r\n\r\n`)
    if (isChunked) socket.write(`${bytes.toString(16)}\r\n`)
    socket.write(Buffer.alloc(bytes, 32))
    if (isChunked) socket.write('\r\n0\r\n\r\n')
  })

t.test('a client that sends ten megabytes too much reads the error, not a broken connection', async t => {
  const { app } = await aServer(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const isChunked of [false, true]) {
    const answer = await sendWhole(port, 10 * 1024 * 1024, isChunked)
    t.match(answer, /^HTTP\/1\.1 413 /)
    t.match(answer, 'APP_TOO_LARGE')
  }
  const tooMuch = sendWhole(port, 100 * 1024 * 1024, true)
  await t.rejects(tooMuch, 'the server stops reading at some point')
})
