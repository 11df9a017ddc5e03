/** What no well-behaved client does: on the socket, from another site, and with files on disk. */
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startBackend } from '#test/helpers/backend.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { isOnSqlite } from '#test/helpers/engine.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { allRows, rowsAtRest } from '#test/helpers/rows.ts'
import { codeIn } from '#test/helpers/sign-in.ts'

const backend = await startBackend(t)
const { owner, customer, headers } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const port = Number(new URL(backend.url).port)

/** Writes bytes to the server's socket; returns what arrives until it closes, or within this time. */
const knock = async (bytes: string, ms = 5000): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  socket.on('data', data => {
    said += data.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(bytes)
  const late = setTimeout(() => socket.destroy(), ms)
  await new Promise(resolve => socket.once('close', resolve))
  clearTimeout(late)
  return said
}
const statuses = (said: string) => [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(match => Number(match[1]))
const wireOf = (said: string) => JSON.parse(Buffer.from(said.split('\r\n\r\n')[1] ?? '', 'latin1').toString('utf8'))
const json = 'content-type: application/json\r\n'

t.test('a request with an ambiguous length is refused, and nothing after it is read as another request', async t => {
  const head = 'POST /api/auth/sign-in/email-otp HTTP/1.1\r\nhost: x\r\n'
  const hidden = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
  for (const [name, bytes] of Object.entries({
    'both lengths': `${head}content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'two lengths': `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x${hidden}`,
    'an unknown encoding': `${head}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    'a space before the colon': `${head}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'bare line feeds': 'GET /healthz HTTP/1.1\nhost: x\n\n',
    'a NUL in a header': 'GET /healthz HTTP/1.1\r\nhost: x\r\na: b\u0000c\r\n\r\n',
    'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
  })) {
    const said = await knock(bytes)
    t.same(statuses(said), [400], name)
    t.match(wireOf(said), { statusCode: 400, code: 'APP_BAD_REQUEST', message: /\w/, requestId: /\w/ }, name)
  }
})

t.test('endless headers are refused in the common shape', async t => {
  const said = await knock(`GET /healthz HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(100_000)}\r\n\r\n`)
  t.same(statuses(said), [431])
  t.match(wireOf(said), {
    statusCode: 431,
    code: 'APP_HEADERS_TOO_LARGE',
    message: /headers/,
    requestId: /^[0-9a-f-]{36}$/,
  })
  t.match(said, /content-type: application\/json; charset=utf-8\r\n/)
})

t.test('a request that arrives too slowly is ended', async t => {
  const { requestTimeout, headersTimeout } = backend.app.server
  t.ok(requestTimeout > 0 && requestTimeout <= 300_000, `${requestTimeout} ms for all of it`)
  t.ok(headersTimeout > 0 && headersTimeout <= 60_000, `${headersTimeout} ms for its head`)
})

t.test('a client that disconnects during a body causes no error and stores nothing', async t => {
  const before = JSON.stringify(await rowsAtRest(backend))
  for (const path of ['/api/auth/sign-in/email-otp', '/webhooks/whatsapp/nobody', '/api/whatsapp/messages']) {
    const cookie = path.includes('messages') ? `cookie: ${owner.cookie}\r\n` : ''
    await knock(`POST ${path} HTTP/1.1\r\nhost: x\r\n${cookie}${json}content-length: 1000\r\n\r\n{"a":`, 50)
  }
  await sleep(50)
  t.same((await backend.inject({ url: '/healthz' })).statusCode, 200)
  t.same(backend.errors(), [])
  t.ok(JSON.stringify(await rowsAtRest(backend)) === before)
})

t.test("another site's page changes nothing with a person's cookie, however it spells the address", async t => {
  const before = JSON.stringify(await rowsAtRest(backend))
  const chat = `whatsapp/chats/${customer}/unread`
  const from: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3000.evil.example' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
  ]
  for (const path of [
    '/api/',
    '/%61pi/',
    '//api/',
    '/api//',
    '/api/./',
    '/x/../api/',
    '/API/',
    '/%2fapi/',
    '/api%2f',
    'http://evil.example/api/',
  ])
    for (const where of from)
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        const reply = await backend.inject({
          method: 'POST',
          url: path + chat,
          headers: { ...headers, ...where, 'content-type': type },
          payload: '{}',
        })
        if (![403, 404, 415].includes(reply.statusCode)) t.fail(`${path} ${JSON.stringify(where)}: ${reply.statusCode}`)
        if (reply.headers['access-control-allow-origin']) t.fail(`${path} lets others read`)
      }
  for (const call of ['sign-out', 'revoke-sessions', 'organization/delete', 'organization/leave'])
    for (const where of from) {
      const reply = await backend.inject({
        method: 'POST',
        url: `/api/auth/${call}`,
        headers: { ...headers, ...where, 'content-type': 'application/json' },
        payload: JSON.stringify({ organizationId: owner.org.id }),
      })
      t.equal(reply.statusCode, 403, `${call} ${JSON.stringify(where)}`)
    }
  t.ok(JSON.stringify(await rowsAtRest(backend)) === before)
})

t.test('forty concurrent calls with one idempotency key send one message', async t => {
  const replies = await Promise.all(
    Array.from({ length: 40 }, () =>
      backend.inject({
        method: 'POST',
        url: '/api/whatsapp/messages',
        headers: { ...headers, 'idempotency-key': 'one' },
        payload: { message: 'una sola', numberTel: customer },
      }),
    ),
  )
  for (const { statusCode } of replies) t.ok([202, 409].includes(statusCode), String(statusCode))
  const sent = await backend.databases.read.selectFrom('message').select('id').where('text', '=', 'una sola').execute()
  t.equal(sent.length, 1)
  const other = await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/messages',
    headers: { ...headers, 'idempotency-key': 'one' },
    payload: { message: 'otra', numberTel: customer },
  })
  t.match([other.statusCode, other.json().code], [409, 'APP_IDEMPOTENCY_MISMATCH'])
})

t.test('neither database nor log contains a secret in clear text', async t => {
  await backend.inject({
    method: 'POST',
    url: '/api/auth/email-otp/send-verification-otp',
    headers: { cookie: owner.cookie },
    payload: { email: owner.user.email, type: 'sign-in' },
  })
  const folder = join(backend.dataDir, 'mail')
  const letters = readdirSync(folder)
    .filter(name => name.endsWith('.eml'))
    .map(name => readFileSync(join(folder, name), 'utf8'))
  // The reports of statistics have none.
  const codes = letters.filter(letter => !letter.includes('List-Unsubscribe:')).map(codeIn)
  t.ok(codes.length)
  const connection = await connectionKeys(backend.parts, owner.org.id)
  const { accessToken = '', appSecret = '', verifyToken = '' } = connection ?? {}
  const secrets = { accessToken, appSecret, verifyToken, key: backend.parts.config.authSecret ?? '' }
  // All rows as text if there is no file; bytes as they are.
  const database = isOnSqlite
    ? backend.databases.raw.read.serialize().toString('latin1')
    : JSON.stringify(await allRows(backend.databases))
  const log = JSON.stringify(backend.lines)
  for (const [name, secret] of Object.entries(secrets)) {
    t.ok(secret.length >= 8, name)
    for (const bytes of [
      secret,
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('hex'),
    ])
      t.notOk(database.includes(bytes) || log.includes(bytes), name)
  }
  for (const code of codes) {
    const kept = await backend.databases.read.selectFrom('verification').select('value').execute()
    t.ok(kept.length)
    const bare = createHmac('sha256', '').update(code).digest('hex')
    t.notOk(
      kept.some(({ value }) => value.includes(code) || value.includes(bare)),
      'a code',
    )
    t.notMatch(log, new RegExp(`\\b${code}\\b`))
  }
})
