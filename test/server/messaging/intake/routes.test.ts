import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import t from 'tap'
import { createJournal } from '#server/messaging/intake/journal.ts'
import { intakeRoutes } from '#server/messaging/intake/routes.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { webhookLimitBytes } from '#shared/kernel/limits.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { signatureOf, textWebhook } from '#test/helpers/webhooks.ts'

const appSecret = 'sandbox-app-secret'
const verifyToken = 'verify-me-please'
const path = '/webhooks/whatsapp/con1'

const stage = async (meta: { appSecret?: string; verifyToken?: string } = {}, maxWaiting?: number) => {
  const databases = await freshDatabases()
  const keys = new Map([['con1', { appSecret, verifyToken }]])
  let woken = 0
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof AppError) {
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
      return reply.status(error.status).send({ code: error.code })
    }
    return reply
      .status((error as { statusCode?: number }).statusCode ?? 500)
      .send({ code: (error as { code?: string }).code })
  })
  await app.register(
    intakeRoutes({
      journal: createJournal({ databases, clock: handClock(), ...(maxWaiting ? { maxWaiting } : {}) }),
      keysOf: async id => keys.get(id),
      meta: { appSecret: meta.appSecret, verifyToken: meta.verifyToken },
      wake: () => {
        woken += 1
      },
    }),
  )
  const rows = () => databases.read.selectFrom('webhook_journal').selectAll().orderBy('seq').execute()
  const post = (url: string, payload: Buffer | string, signature?: string, type = 'application/json') =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': type, ...(signature ? { 'x-hub-signature-256': signature } : {}) },
    })
  return { app, databases, keys, rows, post, woken: () => woken }
}

t.test('a signed webhook is stored byte for byte and answered 200', async t => {
  const { post, rows, woken } = await stage()
  const raw = textWebhook()
  const reply = await post(path, raw, signatureOf(raw, appSecret))
  t.equal(reply.statusCode, 200)
  const [row] = await rows()
  t.same(Buffer.from(row?.raw ?? []), raw)
  t.equal(row?.connection_id, 'con1')
  t.equal(woken(), 1)
})

t.test('Meta’s published test vector verifies over the raw bytes', async t => {
  const { post } = await stage()
  const reply = await post(
    path,
    '{"a":"\\u00e1\\/"}',
    'sha256=2486a463d9b0ef19abce421642aa988e94efc61420c13e6cc5d188079f409d50',
  )
  t.equal(reply.statusCode, 200)
})

t.test('missing, wrong, truncated and re-serialized signatures are 401 and store nothing', async t => {
  const { post, rows, woken } = await stage()
  const raw = textWebhook()
  const right = signatureOf(raw, appSecret)
  const again = JSON.stringify(JSON.parse(raw.toString()))
  for (const [name, body, signature] of [
    ['missing', raw, undefined],
    ['empty', raw, ''],
    ['of another secret', raw, signatureOf(raw, 'another-secret')],
    ['truncated', raw, right.slice(0, -2)],
    ['without its scheme', raw, right.slice('sha256='.length)],
    ['sha1', raw, `sha1=${right.slice(7, 47)}`],
    ['not hex', raw, `sha256=${'z'.repeat(64)}`],
    ['of the same JSON written anew', raw, signatureOf(again, appSecret)],
    ['of a body with one byte more', Buffer.concat([raw, Buffer.from(' ')]), right],
  ] as const) {
    const reply = await post(path, body, signature)
    t.equal(reply.statusCode, 401, name)
    t.equal(reply.json().code, 'INTAKE_SIGNATURE_REFUSED', name)
  }
  t.same(await rows(), [])
  t.equal(woken(), 0)
})

t.test('an unknown connection answers like a wrong signature', async t => {
  const { post, rows, app } = await stage()
  const raw = textWebhook()
  const reply = await post('/webhooks/whatsapp/nobody', raw, signatureOf(raw, appSecret))
  t.same([reply.statusCode, reply.json()], [401, { code: 'INTAKE_SIGNATURE_REFUSED' }])
  const shake = await app.inject(
    `/webhooks/whatsapp/nobody?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${verifyToken}`,
  )
  t.same([shake.statusCode, shake.json()], [403, { code: 'INTAKE_HANDSHAKE_REFUSED' }])
  t.same(await rows(), [])
})

t.test(
  'a signed body that is not JSON, of any content type, or empty is stored and answered 200: a retry would not help',
  async t => {
    const { post, rows } = await stage()
    for (const [body, type] of [
      ['{"object":', 'application/json'],
      ['hola', 'text/plain'],
      ['a=1', 'application/x-www-form-urlencoded'],
      ['x', 'application/octet-stream'],
      ['', 'application/json'],
    ] as const) {
      const reply = await post(path, body, signatureOf(body, appSecret), type)
      t.equal(reply.statusCode, 200, `${type} ${body}`)
    }
    t.equal((await rows()).length, 5)
  },
)

t.test('a body over the limit is 413 and stores nothing; one at the limit is accepted', async t => {
  const { post, rows } = await stage()
  const tooLong = Buffer.alloc(webhookLimitBytes + 1, 32)
  t.equal((await post(path, tooLong, signatureOf(tooLong, appSecret))).statusCode, 413)
  t.same(await rows(), [])
  const longest = Buffer.alloc(webhookLimitBytes, 32)
  t.equal((await post(path, longest, signatureOf(longest, appSecret))).statusCode, 200)
})

/** The status line of a listening app after these pieces of a request; undefined if we cut the connection. */
const inPieces = async (port: number, pieces: readonly (string | Buffer)[], { isCutOff = false } = {}) => {
  const socket = connect(port, '127.0.0.1')
  const answer = new Promise<string>(resolve => socket.once('data', data => resolve(data.toString('latin1'))))
  for (const piece of pieces) {
    socket.write(piece)
    await pause(30)
  }
  const line = isCutOff ? undefined : (await answer).split('\r\n', 1)[0]
  socket.destroy()
  return line
}

t.test('a webhook in several pieces, one without a declared length, and one that is cut off', async t => {
  const { app, rows } = await stage()
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const raw = textWebhook()
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nx-hub-signature-256: ${signatureOf(raw, appSecret)}\r\n`
  const said = `${head}content-length: ${raw.length}\r\n\r\n`
  const parts = [raw.subarray(0, 10), raw.subarray(10, 200), raw.subarray(200)]

  t.equal(await inPieces(port, [said, ...parts]), 'HTTP/1.1 200 OK')
  const chunks = parts.map(part =>
    Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
  )
  const chunked = [`${head}transfer-encoding: chunked\r\n\r\n`, ...chunks, '0\r\n\r\n']
  t.equal(await inPieces(port, chunked), 'HTTP/1.1 200 OK')
  await inPieces(port, [said, raw.subarray(0, 200)], { isCutOff: true })
  await pause(50)
  t.same(
    (await rows()).map(row => Buffer.from(row.raw)),
    [raw, raw],
  )
  t.equal(await inPieces(port, [said, raw]), 'HTTP/1.1 200 OK', 'the next request on the connection')
})

t.test('a webhook that cannot be stored is refused with the usual error', async t => {
  const { post, databases } = await stage()
  await databases.write.schema.dropTable('webhook_place').execute()
  await databases.write.schema.dropTable('webhook_journal').execute()
  const raw = textWebhook()
  t.equal((await post(path, raw, signatureOf(raw, appSecret))).statusCode, 500)
})

t.test('the handshake echoes the challenge as plain text, only for the right token', async t => {
  const { app } = await stage()
  const ask = (query: string) => app.inject(`${path}?${query}`)
  const reply = await ask(`hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${verifyToken}`)
  t.equal(reply.statusCode, 200)
  t.equal(reply.body, '1158201444')
  t.match(reply.headers['content-type'], /^text\/plain/)
  for (const query of [
    '',
    'hub.mode=subscribe&hub.challenge=1&hub.verify_token=wrong',
    `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${verifyToken}x`,
    `hub.mode=unsubscribe&hub.challenge=1&hub.verify_token=${verifyToken}`,
    `hub.mode=subscribe&hub.verify_token=${verifyToken}`,
    `hub.mode=subscribe&hub.challenge=%3Cscript%3E&hub.verify_token=${verifyToken}`,
    `hub.mode=subscribe&hub.challenge=1&hub.challenge=2&hub.verify_token=${verifyToken}`,
  ])
    t.equal((await ask(query)).statusCode, 403, query)
})

t.test('the shared webhook address exists only with the installation’s own app', async t => {
  const without = await stage()
  const raw = textWebhook()
  t.equal((await without.post('/webhooks/whatsapp', raw, signatureOf(raw, appSecret))).statusCode, 404)
  t.equal((await without.app.inject('/webhooks/whatsapp?hub.mode=subscribe')).statusCode, 404)
  const half = await stage({ appSecret: 'the-shared-secret' })
  t.equal((await half.post('/webhooks/whatsapp', raw, signatureOf(raw, 'the-shared-secret'))).statusCode, 404)

  const { post, rows, app } = await stage({ appSecret: 'the-shared-secret', verifyToken: 'the-shared-token' })
  t.equal((await post('/webhooks/whatsapp', raw, signatureOf(raw, appSecret))).statusCode, 401)
  t.equal((await post('/webhooks/whatsapp', raw, signatureOf(raw, 'the-shared-secret'))).statusCode, 200)
  t.equal((await rows())[0]?.connection_id, null)
  const shake = await app.inject(
    '/webhooks/whatsapp?hub.mode=subscribe&hub.challenge=7&hub.verify_token=the-shared-token',
  )
  t.equal(shake.body, '7')
})

t.test(
  'a connection with too many waiting webhooks is answered 503 until they are derived; others are accepted',
  async t => {
    const { databases, post, rows, keys } = await stage({}, 100)
    keys.set('con2', { appSecret, verifyToken })
    const many = Buffer.from(
      `{"entry":[{"id":"1","changes":[{"field":"messages","value":{"messages":[${Array(60).fill('{"text":{}}').join(',')}]}}]}]}`,
    )
    const send = (raw: Buffer, url = path) => post(url, raw, signatureOf(raw, appSecret))
    const answers: number[] = []
    for (let i = 0; i < 3; i += 1) answers.push((await send(many)).statusCode)
    const refused = await send(textWebhook())
    t.same([...answers, refused.statusCode], [200, 200, 503, 503])
    t.equal(refused.json().code, 'INTAKE_TOO_MANY_WAITING')
    t.equal(refused.headers['retry-after'], '30')
    t.equal((await rows()).length, 2, 'nothing of it is stored')
    t.equal((await send(textWebhook(), '/webhooks/whatsapp/con2')).statusCode, 200)
    await databases.write.updateTable('webhook_journal').set({ state: 1 }).execute()
    await pause(1100)
    t.equal((await send(many)).statusCode, 200, 'what was derived has made room')
  },
)
