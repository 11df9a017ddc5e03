/** Bodies that are made to be expensive are refused before they are parsed, validated or copied. */
import { maxHeaderSize } from 'node:http'
import { Readable } from 'node:stream'
import t from 'tap'
import { listRoutes } from '#server/cli/route-list.ts'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import { createReceivedFiles } from '#server/messaging/media/received.ts'
import { createTemplateFiles } from '#server/messaging/templates/files/files.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createFolderStorage } from '#server/platform/storage/folder.ts'
import { audienceMaxChars } from '#shared/bulk-sends/limits.ts'
import type { EndpointShape, Method } from '#shared/kernel/contract.ts'
import { anonymousLimitValues, bodyLimitBytes, bodyLimitValues } from '#shared/kernel/limits.ts'
import { maxInlineBytes } from '#shared/templates/api.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { rowsAtRest } from '#test/helpers/rows.ts'

const backend = await startBackend(t)
const { owner } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const routes = await listRoutes()
const writes = routes.filter(route => route.method !== 'GET' && route.endpoint?.body)
const addressOf = (url: string) => url.replace(/:\w+/g, 'x')
const nameOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`

/** This many values in the fewest bytes. */
const listOf = (values: number) =>
  `{"a":[${Array(Math.ceil((values - 2) / 2))
    .fill('{}')
    .join(',')}]}`
const send = (method: string, url: string, payload: string, cookie?: string) =>
  backend.inject({
    method: method as Method,
    url: addressOf(url),
    headers: { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
    payload,
  })

/** Values parsed while `work` runs: the cost of a refusal is counted, not timed. */
const valuesParsed = async (work: () => Promise<unknown>): Promise<number> => {
  const { parse } = JSON
  let values = 0
  JSON.parse = (text, reviver) => {
    if (text.startsWith('{"a":')) values += text.split(/[,[{]/).length
    return parse(text, reviver)
  }
  try {
    await work()
  } finally {
    JSON.parse = parse
  }
  return values
}

t.test('no call parses more values than its limit', async t => {
  const before = JSON.stringify(await rowsAtRest(backend))
  t.ok(writes.length > 10)
  for (const call of writes) {
    const { bodyLimit = bodyLimitBytes, bodyValues = bodyLimitValues } = call.endpoint as EndpointShape
    for (const values of [bodyValues + 1, Math.floor(bodyLimit / 2)].filter(count => count * 2 < bodyLimit))
      for (const cookie of [owner.cookie, undefined]) {
        const about = `${nameOf(call)} ${values} ${cookie ? 'signed in' : 'anonymous'}`
        const parsed = await valuesParsed(async () => {
          const reply = await send(call.method, call.url, listOf(values), cookie)
          if (![401, 403, 413].includes(reply.statusCode)) t.fail(`${about}: ${reply.statusCode}`)
          if (cookie === undefined && call.endpoint?.access !== 'anyone') t.equal(reply.statusCode, 401, about)
        })
        t.equal(parsed, 0, about)
      }
  }
  t.ok(JSON.stringify(await rowsAtRest(backend)) === before)
})

t.test('every limit of a contract can be parsed, checked and refused within one turn', async t => {
  for (const { endpoint, ...call } of writes) {
    const { bodyLimit = bodyLimitBytes, bodyValues = bodyLimitValues } = endpoint as EndpointShape
    t.ok(bodyValues <= 50_000, nameOf(call))
    t.ok(bodyLimit <= 16 * 1024 * 1024, nameOf(call))
  }
})

t.test('a file for a bulk send may have its full length, even if each character takes two bytes', async t => {
  const head = 'tel;nota\n1155551001;'
  const text = head + 'ñ'.repeat(audienceMaxChars - head.length)
  const asked = { csv: { text, phoneColumn: 'tel' } }
  const reply = await send('POST', '/api/whatsapp/bulk-sends/file', JSON.stringify(asked), owner.cookie)
  t.equal(reply.statusCode, 200)
  t.match(reply.json(), { rows: 1, faulty: 0 })
})

t.test('anonymous callers may send forms with few fields', async t => {
  for (const allowed of listAllowedRoutes()) {
    if (allowed.method !== 'POST') continue
    const url = `/api/auth${allowed.path}`
    const parsed = await valuesParsed(async () => {
      const reply = await send('POST', url, listOf(anonymousLimitValues + 3))
      t.ok([401, 403, 404, 413].includes(reply.statusCode), `${url} ${reply.statusCode}`)
    })
    t.equal(parsed, 0, url)
  }
})

t.test('a refusal names a readable number of faults', async t => {
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`k${i}`, {}]))
  for (const call of writes) {
    const schema = call.endpoint?.body as { additionalProperties?: unknown }
    const reply = await send(call.method, call.url, JSON.stringify(many), owner.cookie)
    if (reply.statusCode !== 400 || schema.additionalProperties !== false) continue
    const { details } = reply.json()
    t.ok(details.length > 0 && details.length <= 20, `${nameOf(call)} ${details.length}`)
  }
})

t.test('a query is limited by the size of headers, and a file inside a body is hashed in pieces', async t => {
  t.ok(maxHeaderSize <= 16 * 1024)
  const chunks: number[] = []
  const storage = {
    ...createFolderStorage(t.testdir()),
    write: async (_path: string, body: AsyncIterable<Uint8Array>) => {
      for await (const chunk of body) chunks.push(chunk.length)
      throw new Error('seen')
    },
  }
  const { databases, clock } = backend
  const quota = {
    store: <T>(_org: string, body: AsyncIterable<Uint8Array>, write: (body: AsyncIterable<Uint8Array>) => Promise<T>) =>
      write(body),
    requireRoom: async () => undefined,
    notifyOwners: async () => undefined,
  }
  const received = createReceivedFiles({ databases, clock, ids: newId, storage, quota })
  const files = createTemplateFiles({ databases, clock, storage, received })
  const dataBase64 = Buffer.alloc(maxInlineBytes).toString('base64')
  await t.rejects(files.storeInline(owner.org.id, { dataBase64, broughtBy: owner.user.id }), { message: 'seen' })
  t.equal(
    chunks.reduce((sum, size) => sum + size, 0),
    maxInlineBytes,
  )
  t.ok(Math.max(...chunks) <= 1024 * 1024, `${Math.max(...chunks)} bytes at once`)
})

t.test('the simulated Graph API reads a body up to its limit', async t => {
  const connection = await connectionKeys(backend.parts, owner.org.id)
  const authorization = `Bearer ${connection?.accessToken}`
  const reply = await valuesParsed(async () => {
    const { statusCode } = await backend.inject({
      method: 'POST',
      url: `/sandbox/graph/v25.0/${connection?.phoneNumberId}/messages`,
      headers: { authorization, 'content-type': 'application/json' },
      payload: listOf(bodyLimitValues + 3),
    })
    t.equal(statusCode, 400)
  })
  t.equal(reply, 0)
})

t.test('the simulated Graph API reads a form or a JSON of the size of a message, not of a file', async t => {
  const connection = await connectionKeys(backend.parts, owner.org.id)
  const send = (payload: string, type: string) =>
    backend.inject({
      method: 'POST',
      url: `/sandbox/graph/v25.0/${connection?.phoneNumberId}/messages`,
      headers: { authorization: `Bearer ${connection?.accessToken}`, 'content-type': type },
      payload,
    })
  const fields = 'messaging_product=whatsapp&to=5491155550101&type=text'
  const form = 'application/x-www-form-urlencoded'
  const large = 'x'.repeat(bodyLimitBytes)
  for (const [payload, type] of [
    [`${fields}${'&'.repeat(bodyLimitValues)}`, form],
    [`${fields}&a=${large}`, form],
    [`{"messaging_product":"whatsapp","to":"5491155550101","a":"${large}"}`, 'application/json'],
    [`{"messaging_product":"whatsapp","to":"5491155550101","a":"${large}"}`, 'text/plain'],
  ] as const) {
    const reply = await send(payload, type)
    t.equal(reply.statusCode, 400)
    t.match(reply.json().error.message, /messaging_product is required/, type)
  }
})

t.test('sixteen megabytes of an anonymous caller are refused before they are read', async t => {
  let read = 0
  const body = async function* () {
    for (; read < 16; read += 1) yield Buffer.alloc(1024 * 1024)
  }
  for (const headers of [{}, { authorization: 'Bearer EAAnobody' }]) {
    read = 0
    const reply = await backend.inject({
      method: 'POST',
      url: '/sandbox/graph/v25.0/1/media',
      headers: { 'content-type': 'application/octet-stream', ...headers },
      payload: Readable.from(body()),
    })
    t.equal(reply.statusCode, 401)
    t.ok(read <= 2, `${read} megabytes were read`)
  }
})

t.test('what is refused in small bodies is refused in large ones', async t => {
  const { cookie } = owner
  const url = '/api/whatsapp/contact-imports/preview'
  const text = 'x'.repeat(600_000)
  for (const [what, body] of Object.entries({
    'a prototype': `{"text":"${text}","__proto__":{"isAdmin":true}}`,
    'a prototype in a list': `{"text":"${text}","targets":[{"__proto__":null}]}`,
    'the prototype of a constructor': `{"text":"${text}","constructor":{"prototype":{"isAdmin":true}}}`,
    'half of a body': `{"text":"${text}`,
    'one bracket too many': `{"text":"${text}"}}`,
  })) {
    const reply = await send('POST', url, body, cookie)
    t.equal(reply.statusCode, 400, what)
    t.equal(reply.json().code, 'APP_BAD_JSON', what)
  }
  const named = await send('POST', url, `{"text":"${text}","constructor":null}`, cookie)
  t.equal(named.json().code, 'APP_VALIDATION', 'a field with only a similar name is unknown')
  t.equal(({} as { isAdmin?: true }).isAdmin, undefined)
})
