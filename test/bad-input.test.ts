/**
 * Invalid input is refused with the name of its field, in the caller's language, and changes nothing. No input causes
 * an error of the server. Calls and schemas are read from the app, so new calls are tested automatically.
 */
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { type ListedRoute, listRoutes } from '#server/cli/route-list.ts'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import type { EndpointShape, Method } from '#shared/kernel/contract.ts'
import type { WireError } from '#shared/kernel/error.ts'
import { bodyLimitBytes, webhookLimitBytes } from '#shared/kernel/limits.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { addressOf, alsoNeeded, exampleOf, fieldsOf, fits, type Input, type Schema } from '#test/helpers/examples.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { isPlayed, randomCases } from '#test/helpers/night.ts'
import { allRows, changedTables, rowsAtRest } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { signatureOf, textWebhook } from '#test/helpers/webhooks.ts'

t.setTimeout(fileTimeoutMs)

type ApiCall = ListedRoute & { endpoint: EndpointShape }
type Headers = Record<string, string>

const calls = (await listRoutes()).filter((route): route is ApiCall => route.endpoint !== undefined)
const withBody = calls.filter(call => call.endpoint.body)
const backend = await startBackend(t)
const { databases } = backend
const { owner, customer, ids } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
// Only a site administrator may make calls of the site.
await databases.write.updateTable('user').set({ role: 'admin' }).where('id', '=', owner.user.id).execute()
const json = 'application/json'

const nameOf = (call: ListedRoute) => `${call.method} ${call.url}`
/** An input that would change something if it were accepted. */
const inputOf = (call: ApiCall): Input => {
  const input = exampleOf(call.name, call.endpoint)
  if (input.params?.phone) input.params.phone = customer
  if (input.params?.id) input.params.id = call.name.startsWith('media.') ? ids.media : ids.failed
  if (input.body?.numberTel) input.body.numberTel = customer
  if (input.body?.phoneNumber) input.body.phoneNumber = customer
  return input
}
const send = (method: string, url: string, payload?: string | Buffer, headers: Headers = {}) =>
  backend.inject({
    method: method as Method,
    url,
    headers: { cookie: owner.cookie, ...(payload === undefined ? {} : { 'content-type': json }), ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
const make = (call: ApiCall, input: Input, headers?: Headers) =>
  send(call.method, addressOf(call.url, input), input.body && JSON.stringify(input.body), headers)

/** Asserts the shape of a refusal. Returns the names of its fields. */
const refused = (
  t: Test,
  reply: LightMyRequestResponse,
  about: string,
  statuses: readonly number[] = [400],
): string[] => {
  const fault = (reason: string): string[] => {
    t.fail(`${about}: ${reason}`, { status: reply.statusCode, body: reply.body.slice(0, 500) })
    return []
  }
  if (!statuses.includes(reply.statusCode)) return fault(`answers ${reply.statusCode}`)
  if (!String(reply.headers['content-type']).startsWith(json)) return fault('is not JSON')
  const wire = reply.json() as WireError
  if (wire.statusCode !== reply.statusCode || !wire.code || !wire.requestId)
    return fault('does not have the fields of an error: throw an AppError')
  const texts = [wire, ...(wire.details ?? [])].map(({ message }) => message)
  if (texts.some(text => !text || /^(errors:|field\.|[A-Z]+_[A-Z_]+$)|\{\{/.test(text)))
    return fault('has no text in the language of the caller: add it to locales')
  return (wire.details ?? []).map(({ field }) => field)
}

const unchanged = (name: string, work: (t: Test) => Promise<void>) =>
  t.test(name, async t => {
    const before = await rowsAtRest(backend)
    await work(t)
    t.same(changedTables(before, await rowsAtRest(backend)), [], 'nothing changed in the database')
    t.same(backend.errors(), [], 'nothing was logged as an error')
  })

const wrongs: unknown[] = [
  null,
  true,
  7,
  -1,
  1.5,
  1e300,
  '',
  'x',
  ' ',
  [],
  [[]],
  {},
  { $gt: '' },
  'x'.repeat(100_000),
  '٣٤٥٦٧٨٩',
  '+',
  '54 911',
  '549115555123412345',
]
const badTexts = ['a\u0000b', '\ud800', 'x\udfff']

/** Whether a call keeps unknown fields, as the webhook journal does. */
const keepsAll = ({ endpoint }: ApiCall) =>
  (endpoint.body as { additionalProperties?: unknown } | undefined)?.additionalProperties === true

unchanged('a wrong body is refused by the name of its field', async t => {
  let row = 0
  for (const call of withBody) {
    const base = inputOf(call)
    for (const [field, schema] of fieldsOf(call.endpoint.body)) {
      row += 1
      for (const [column, wrong] of [...wrongs, ...badTexts].entries()) {
        if (!isPlayed(row, column)) continue
        const body = { ...base.body, [field]: wrong }
        if (fits(call.endpoint, 'body', body) && !badTexts.includes(wrong as string)) continue
        const about = `${nameOf(call)} body.${field} = ${JSON.stringify(wrong).slice(0, 30)}`
        const named = refused(t, await make(call, { ...base, body }), about)
        if (!named.some(name => name === `body.${field}` || name.startsWith(`body.${field}.`)))
          t.fail(`${about}: names ${named}`, { schema })
      }
      if (!(field in (base.body ?? {}))) continue
      const { [field]: _gone, ...body } = base.body ?? {}
      // If any one field is enough, no single one is required.
      const isNeeded =
        (call.endpoint.body as Schema).required?.includes(field) || alsoNeeded[call.name]?.[field] !== undefined
      const missing = isNeeded ? `body.${field}` : 'body'
      t.same(refused(t, await make(call, { ...base, body }), `${nameOf(call)} without ${field}`), [missing])
    }
    if (keepsAll(call)) continue
    for (const extra of ['surprise', 'toString', 'orgId', 'organizationId', 'prototype']) {
      const body = { ...base.body, [extra]: 'x' }
      t.same(refused(t, await make(call, { ...base, body }), `${nameOf(call)} with ${extra}`), [`body.${extra}`])
    }
  }
})

unchanged('a body where none is expected is refused, and so is an unknown query', async t => {
  for (const call of calls) {
    const base = inputOf(call)
    const query = { ...base.query, surprise: 'x' }
    if (call.name !== 'media.mediaFile')
      t.same(refused(t, await make(call, { ...base, query }), `${nameOf(call)}?surprise`), ['query.surprise'])
    if (call.endpoint.body || call.method === 'GET') continue
    const body = { surprise: 1 }
    t.same(refused(t, await make(call, { ...base, body }), `${nameOf(call)} with a body`), ['body.surprise'])
    for (const other of [[], [1], 'x', 7, true])
      refused(t, await make(call, { ...base, body: other as never }), `${nameOf(call)} with ${JSON.stringify(other)}`)
  }
})

/** Calls that answer whether an organization has an address, for any text. */
const saysOfAnyWord = new Set(['orgs.checkSlug', 'orgs.findRenamed'])

unchanged('a wrong query or address is refused by the name of its field', async t => {
  for (const call of calls) {
    const base = inputOf(call)
    for (const [field] of fieldsOf(call.endpoint.query)) {
      for (const wrong of [
        ...wrongs.filter(one => typeof one !== 'object'),
        'NaN',
        '0x10',
        '9'.repeat(40),
        'a\u0000b',
        ['1', '2'],
        ['x', 'x'],
      ]) {
        const query = { ...base.query, [field]: Array.isArray(wrong) ? wrong : String(wrong) }
        if (fits(call.endpoint, 'query', query) && wrong !== 'a\u0000b') continue
        // An empty field of a query counts as absent.
        if (query[field] === '' && fits(call.endpoint, 'query', base.query ?? {})) continue
        // The organization of the stream is checked before its query.
        if (call.name === 'live.stream' && field === 'organization') continue
        const about = `${nameOf(call)}?${field}=${String(wrong).slice(0, 30)}`
        const named = refused(t, await make(call, { ...base, query }), about)
        if (!named.some(name => name === `query.${field}` || name.startsWith(`query.${field}.`)))
          t.fail(`${about}: names ${named}`)
      }
    }
    for (const [field] of fieldsOf(call.endpoint.params))
      for (const wrong of [
        '%00',
        'a%00b',
        '%ED%A0%80',
        '%FF',
        '%',
        '%zz',
        '..%2f..%2fetc',
        '%2e%2e',
        'x'.repeat(200),
        'x'.repeat(5000),
        '%F0%9F%98%80',
        '__proto__',
        "'--",
        '549%0a1155550101',
      ]) {
        const url = addressOf(call.url.replace(`:${field}`, '‹here›'), base).replace('‹here›', wrong)
        // Clients resolve `..` before they send a request, which may turn it into another call.
        const { pathname } = new URL(url, 'http://localhost')
        if (calls.some(({ method, url: other }) => method === call.method && other === pathname)) continue
        const body = base.body && JSON.stringify(base.body)
        if (saysOfAnyWord.has(call.name) && fits(call.endpoint, 'params', { [field]: wrong })) continue
        refused(t, await send(call.method, url, body), `${call.method} ${url.slice(0, 80)}`, [400, 404])
      }
  }
})

unchanged('a body of another type, or invalid JSON, is refused before it is read', async t => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json-patch',
    'application/vnd.api+json',
    'text/json',
    'application/json, text/plain',
    'text/plain; application/json',
    'application/json; charset=utf-16',
    'application/json;charset="latin1"',
    'application',
    '/',
    'x'.repeat(4000),
  ]
  for (const [row, call] of withBody.entries()) {
    const played = <T>(cases: readonly T[]) => cases.filter((_, column) => isPlayed(row, column))
    const base = inputOf(call)
    const url = addressOf(call.url, base)
    const good = JSON.stringify(base.body)
    const about = (said: string) => `${nameOf(call)} ${said}`
    for (const type of played(types)) {
      // A body with a form's type is parsed as one if the call takes forms.
      const isForm = type.startsWith('multipart/') && call.endpoint.fileLimit !== undefined
      const said = about(type.slice(0, 60))
      refused(t, await send(call.method, url, good, { 'content-type': type }), said, [isForm ? 400 : 415])
    }
    // An invalid body is refused, however its content type is written.
    const bad = JSON.stringify({ ...base.body, ...(keepsAll(call) ? { title: 1 } : { surprise: 1 }) })
    for (const type of played([
      'application/json\t',
      ' application/json',
      'application/json ',
      'application/json\t; charset=utf-8',
      'application/json;',
      'application/json ; a=b',
      'Application/JSON',
      'application/json; charset=UTF-8',
      '',
      'application/json;;',
      'application/ json',
    ]))
      refused(t, await send(call.method, url, bad, { 'content-type': type }), about(JSON.stringify(type)), [400, 415])
    for (const cut of [1, Math.floor(good.length / 2), good.length - 1])
      t.same(refused(t, await send(call.method, url, good.slice(0, cut)), about(`cut at ${cut}`)), [])
    for (const text of played([
      '',
      ' ',
      '{',
      '{"a":1,}',
      "{'a':1}",
      'undefined',
      'NaN',
      '\ufeff{}x',
      '[1',
      '{"__proto__":{"isAdmin":true}}',
      '{"constructor":{"prototype":{"isAdmin":true}}}',
      '{"a":{"__proto__":null}}',
      '['.repeat(100_000),
      '{"a":'.repeat(5000),
      `${'['.repeat(100)}${']'.repeat(100)}`,
      '[]',
      '7',
      '"x"',
      '[{}]',
    ]))
      refused(t, await send(call.method, url, text), about(text.slice(0, 40)))
    for (const bytes of [
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xff, 0xfe, 0x7b, 0],
      [0x7b, 0x22, 0xc0, 0x80],
    ])
      refused(t, await send(call.method, url, Buffer.from(bytes)), about(`bytes ${bytes}`))
    const limit = call.endpoint.bodyLimit ?? bodyLimitBytes
    const large = `${good.slice(0, -1)},"surprise":"${'x'.repeat(limit)}"}`
    refused(t, await send(call.method, url, large), about('over the limit'), [413])
  }
  t.equal(({} as { isAdmin?: true }).isAdmin, undefined)
})

unchanged('a megabyte in one field is refused by its name', async t => {
  for (const call of withBody) {
    const base = inputOf(call)
    for (const [field, schema] of fieldsOf(call.endpoint.body)) {
      if (schema.type !== 'string' && !schema.anyOf) continue
      const megabyte = 'ñ'.repeat(Math.floor((bodyLimitBytes - 3000) / 2))
      const body = { ...base.body, [field]: megabyte }
      if (fits(call.endpoint, 'body', body)) continue
      const named = refused(t, await make(call, { ...base, body }), `${nameOf(call)} ${field}`)
      t.ok(named.includes(`body.${field}`), `${nameOf(call)} names ${field}: ${named}`)
    }
  }
})

unchanged('refusals are in the language of the caller', async t => {
  const es = { 'accept-language': 'es' }
  const en = { 'accept-language': 'en-GB;q=0.9, es;q=0.1' }
  const refusalOf = async (call: ApiCall, headers: Headers) => {
    const base = inputOf(call)
    const wire = (await make(call, { ...base, query: { ...base.query, surprise: '1' } }, headers)).json() as WireError
    return { message: wire.message, detail: wire.details?.[0]?.message }
  }
  for (const call of calls.filter(({ name }) => name !== 'media.mediaFile'))
    t.same(
      [await refusalOf(call, es), await refusalOf(call, en)],
      [
        {
          message: backend.parts.translate('es', 'errors:APP_VALIDATION'),
          detail: backend.parts.translate('es', 'errors:field.unknown'),
        },
        {
          message: backend.parts.translate('en', 'errors:APP_VALIDATION'),
          detail: backend.parts.translate('en', 'errors:field.unknown'),
        },
      ],
      nameOf(call),
    )
})

unchanged('an unknown type of message is refused with a text of its own', async t => {
  const body = { type: 'hologram', message: 'Hola', numberTel: customer }
  const reply = await send('POST', '/api/whatsapp/messages', JSON.stringify(body), { 'accept-language': 'es' })
  refused(t, reply, 'hologram')
  t.equal(reply.json().message, 'Tipo de mensaje no soportado.')
})

t.test('the webhook route accepts signed bytes only, and keeps webhooks that it cannot apply', async t => {
  const connection = await databases.read.selectFrom('wa_connection').selectAll().executeTakeFirstOrThrow()
  const keys = await backend.parts.numbers.findByConnectionId(connection.id)
  const stranger = await aNeighbour(backend, { orgName: 'Vecina', customer: '5491155550303' })
  const theirs = await connectionKeys(backend.parts, stranger.owner.org.id)
  const secret = keys?.appSecret as string
  const url = `/webhooks/whatsapp/${connection.id}`
  const raw = textWebhook({
    phoneNumberId: connection.phone_number_id,
    wabaId: connection.waba_id,
    from: customer,
    wamid: 'wamid.door',
    text: 'por la puerta',
  })
  const post = (payload: Buffer, headers: Headers, to = url) =>
    backend.inject({ method: 'POST', url: to, headers: { 'content-type': json, ...headers }, payload })
  const signed = (bytes: Buffer, key = secret) => ({ 'x-hub-signature-256': signatureOf(bytes, key) })
  const journal = () => databases.read.selectFrom('webhook_journal').selectAll().orderBy('seq').execute()
  const before = JSON.stringify(await rowsAtRest(backend))

  for (const [about, payload, headers, to] of [
    ['unsigned', raw, {}],
    ['an empty signature', raw, { 'x-hub-signature-256': '' }],
    ['a signature of other bytes', raw, signed(Buffer.concat([raw, Buffer.from(' ')]))],
    ['a truncated body', raw.subarray(0, -1), signed(raw)],
    ['signed by a neighbour', raw, signed(raw, theirs?.appSecret)],
    ['signed by nobody', raw, signed(raw, '')],
    ['half a signature', raw, { 'x-hub-signature-256': signatureOf(raw, secret).slice(0, 40) }],
    ['sha1 only', raw, { 'x-hub-signature': signatureOf(raw, secret) }],
    ['not hexadecimal', raw, { 'x-hub-signature-256': `sha256=${'z'.repeat(64)}` }],
    ['no body', Buffer.alloc(0), {}],
    ['to a connection nobody has', raw, signed(raw), '/webhooks/whatsapp/nobody'],
    ['to a connection named like a prototype', raw, signed(raw), '/webhooks/whatsapp/__proto__'],
    ["to a neighbour's connection", raw, signed(raw), `/webhooks/whatsapp/${theirs?.id}`],
  ] as [string, Buffer, Headers, string?][])
    refused(t, await post(payload, headers, to), about, [401])
  for (const type of ['', 'text/plain', 'application/octet-stream', 'application/json; charset=utf-16'])
    refused(t, await post(raw, { 'content-type': type }), `unsigned as ${type}`, [401, 415])
  const huge = Buffer.alloc(webhookLimitBytes + 1, 0x20)
  refused(t, await post(huge, signed(huge)), 'more than Meta ever sends', [413])
  t.ok(JSON.stringify(await rowsAtRest(backend)) === before, 'nothing of it was stored')

  const unknown = textWebhook({
    phoneNumberId: '999999999999999',
    wabaId: '888888888888888',
    from: customer,
    wamid: 'wamid.lost',
  })
  const unreadable = Buffer.from('{"object":"whatsapp_business_account","entry":[')
  for (const bytes of [
    raw,
    unknown,
    unreadable,
    Buffer.from('null'),
    Buffer.from('[]'),
    Buffer.from('{"entry":{"a":1}}'),
  ])
    t.equal((await post(bytes, signed(bytes))).statusCode, 200)
  await backend.settle()
  const kept = (await journal()).slice(-6)
  t.same(kept.map(row => Buffer.from(row.raw).toString()).slice(0, 3), [raw, unknown, unreadable].map(String))
  t.equal(kept[0]?.state, 1)
  t.equal(kept[1]?.state, 3, 'a webhook of an unknown number is kept and flagged')
  t.match(kept[1]?.note, /999999999999999/)
  t.equal(kept[2]?.state, 2, 'an unreadable webhook is parked with its reason')
  t.notOk(
    kept.some(row => row.state === 0),
    'no webhook stays waiting',
  )
  const thread = (await send('GET', `/api/whatsapp/chats/${customer}`)).json()
  t.equal(thread.items.filter((one: { wamid: string }) => one.wamid === 'wamid.door').length, 1)
  t.notOk(JSON.stringify(await allRows(databases, ['webhook_journal'])).includes('wamid.lost'))
  t.same(backend.errors(), [])
})

t.test("a webhook signed with one organization's secret writes nothing into another's inbox", async t => {
  const thief = await aNeighbour(backend, { orgName: 'Ladrona', customer: '5491155550404' })
  const keys = await connectionKeys(backend.parts, thief.owner.org.id)
  const target = await databases.read
    .selectFrom('wa_connection')
    .selectAll()
    .where('org_id', '=', owner.org.id)
    .executeTakeFirstOrThrow()
  for (const wabaId of [target.waba_id, keys?.wabaId as string]) {
    const raw = textWebhook({
      phoneNumberId: target.phone_number_id,
      wabaId,
      from: customer,
      wamid: `wamid.stolen${wabaId}`,
    })
    const reply = await backend.inject({
      method: 'POST',
      url: `/webhooks/whatsapp/${keys?.id}`,
      headers: { 'content-type': json, 'x-hub-signature-256': signatureOf(raw, keys?.appSecret as string) },
      payload: raw,
    })
    t.equal(reply.statusCode, 200)
  }
  await backend.settle()
  t.notOk(JSON.stringify(await allRows(databases, ['webhook_journal'])).includes('wamid.stolen'))
})

const nasty = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u2028',
  '../../etc/passwd',
  "' or 1=1--",
  '%',
  '_',
  '\\',
  '*',
  '"',
  'NEAR(',
  '{{x}}',
  '$where',
  '1e999',
  '-0',
  '__proto__',
  'ſ',
  'İ',
  '😀'.repeat(50),
  '٣',
  'x'.repeat(5000),
  '2026-13-45T99:99:99Z',
  '+99999-01-01T00:00:00Z',
  '9007199254740993',
  customer,
  ids.message,
  ids.media,
  'AR.1349',
)
const allowedWord = fc.constantFrom(
  'asc',
  'desc',
  'eq',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'gt',
  'ne',
  'id',
  'role',
  'email',
  'name',
  'banned',
  '1',
)
const word = fc.oneof(nasty, allowedWord, fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 20 }))
const anyValue = fc.oneof(
  word,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
)
const headersOf: fc.Arbitrary<Headers> = fc.record(
  {
    'content-type': fc.constantFrom(json, 'text/plain', '', 'application/json; charset=utf-8', 'multipart/form-data'),
    'x-organization': fc.constantFrom(owner.org.id, owner.org.slug, 'nobody', '', '%00', '__proto__'),
    'idempotency-key': fc.constantFrom('a', 'b', '', 'x'.repeat(300), 'ñ'),
    'accept-language': fc.constantFrom('es', 'en', '', '*', ';;;', 'x'.repeat(1000)),
    cookie: fc.constantFrom(owner.cookie, '', '=', ';;', '%', `${owner.cookie}; i18next=../../x`),
    range: fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=a-b', 'items=1'),
    'if-none-match': fc.constantFrom('*', '""', 'x'),
    origin: fc.constantFrom('http://localhost:3000', 'null', 'https://evil.example', ''),
    'x-forwarded-for': fc.constantFrom('1.1.1.1', '::', 'x'),
    'content-length': fc.constantFrom('0', 'x', '-1'),
  },
  { requiredKeys: [] },
)
/** Headers that are rarely present, because a refused one hides what comes after it. */
const seldom = (headers: fc.Arbitrary<Headers>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<Headers>({}) }, { weight: 1, arbitrary: headers })
/** A body of the call in which each field may be anything, or bytes that are not JSON. */
const bodyFor = (names: readonly string[]) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record(Object.fromEntries(names.map(name => [name, anyValue])), { requiredKeys: [] })
        .map(body => JSON.stringify(body)),
    },
    { weight: 1, arbitrary: fc.jsonValue().map(value => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes)) },
  )

const requestTo = (call: ApiCall) => {
  const fields = (part: 'params' | 'query' | 'body') =>
    fieldsOf(call.endpoint[part]).map(([name, schema]) => ({ name, schema }))
  const base = inputOf(call)
  const close = (part: 'query' | 'params', name: string) =>
    fc.oneof(fc.constant(String(base[part]?.[name] ?? 'x')), word)
  const body = fc.oneof(
    // One random field in a valid input, to get past the first check.
    fc
      .tuple(fc.constantFrom('', ...fields('body').map(({ name }) => name)), anyValue)
      .map(([name, value]) => JSON.stringify({ ...base.body, ...(name ? { [name]: value } : {}) })),
    bodyFor(fields('body').map(({ name }) => name)),
  )
  return fc.record({
    method: fc.constant(call.method as string),
    url: fc
      .tuple(
        fc.tuple(...fields('params').map(({ name }) => close('params', name))),
        fc.record(Object.fromEntries(fields('query').map(({ name }) => [name, close('query', name)])), {
          requiredKeys: [],
        }),
      )
      .map(([params, query]) => {
        const values = fields('params').map(({ name }, i) => [name, params[i]?.toWellFormed()])
        const asked = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value?.toWellFormed()]))
        return addressOf(call.url, { params: Object.fromEntries(values), query: asked })
      }),
    headers: seldom(headersOf),
    payload: call.endpoint.body ? body : fc.constant(undefined),
  })
}

const allowedFields = [
  'email',
  'otp',
  'name',
  'type',
  'organizationId',
  'organizationSlug',
  'slug',
  'logo',
  'metadata',
  'memberId',
  'memberIdOrEmail',
  'invitationId',
  'teamId',
  'userId',
  'role',
  'data',
  'permissions',
  'permission',
  'limit',
  'offset',
  'image',
  'resend',
  'providerId',
  'domain',
  'issuer',
  'clientId',
  'clientSecret',
  'callbackURL',
]
const listFields = [
  'sortBy',
  'sortDirection',
  'filterField',
  'filterOperator',
  'filterValue',
  'searchField',
  'searchOperator',
  'searchValue',
  'id',
]
const requestToAllowed = ({ method, path }: { method: string; path: string }) =>
  fc.record({
    method: fc.constant(method),
    url: fc.dictionary(fc.constantFrom(...allowedFields, ...listFields), word, { maxKeys: 4 }).map(query => {
      const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, value.toWellFormed()]))
      return `/api/auth${path}${method === 'GET' ? `?${asked}` : ''}`
    }),
    headers: seldom(headersOf),
    payload: method === 'GET' ? fc.constant(undefined) : bodyFor(allowedFields),
  })

interface Fuzzed {
  method: string
  url: string
  headers: Headers
  payload: string | Buffer | undefined
}

const metas = new Set(['/api/whatsapp/connection', '/api/whatsapp/namewaba'])
const requestsInAll = randomCases({ day: 2_500, night: 5_000 })
/** Makes the calls, and reports one example of each kind of failure. */
const throwAt = async (t: Test, arbitraries: fc.Arbitrary<Fuzzed>[], numRuns: number) => {
  const answers = new Map<number, number>()
  const faults = new Map<string, Fuzzed>()
  const askOne = async (one: Fuzzed) => {
    const { method, url, headers, payload } = one
    const { 'content-length': length, ...rest } = headers
    const reply = await backend.inject({
      method: method as Method,
      url,
      headers: {
        cookie: owner.cookie,
        ...(payload === undefined ? {} : { 'content-type': json }),
        ...rest,
        ...(length === undefined || payload === undefined ? {} : { 'content-length': length }),
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const status = reply.statusCode
    answers.set(status, (answers.get(status) ?? 0) + 1)
    // Meta cannot be reached in tests, so calls of it answer 502.
    const isMetas = status === 502 && metas.has(url)
    const isWire = status < 400 || (/"code":"./.test(reply.body) && /"message":"./.test(reply.body))
    if ((status >= 500 && !isMetas) || !isWire)
      faults.set(`${method} ${url.split('?')[0]}: ${status} ${reply.body}`, one)
  }
  await fc.assert(fc.asyncProperty(fc.oneof(...arbitraries), askOne), { numRuns })
  const asked = [...answers.values()].reduce((sum, count) => sum + count, 0)
  t.ok(asked >= numRuns, `${asked} requests: ${JSON.stringify([...answers])}`)
  t.same([...faults], [], [...faults.keys()][0] ?? 'every response is a declared one or an error in the usual shape')
  t.same(backend.errors(), [], JSON.stringify(backend.errors()[0] ?? 'nothing is logged as an error'))
}

t.test('thousands of calls with random input: none causes an error of the server', async t => {
  const open = calls.filter(({ name }) => name !== 'live.stream' && name !== 'numbers.disconnect')
  await throwAt(t, open.map(requestTo) as fc.Arbitrary<Fuzzed>[], requestsInAll - 1000)
})

t.test('a thousand random calls of sign-in: none causes an error of the server', async t => {
  // A site administrator gets past more checks than others.
  await databases.write.updateTable('user').set({ role: 'admin' }).where('id', '=', owner.user.id).execute()
  const allowedRoutes = listAllowedRoutes().filter(
    ({ path }) => !/sign-out|revoke|ban-user|remove-user|impersonat|delete|leave/.test(path),
  )
  await throwAt(t, allowedRoutes.map(requestToAllowed) as fc.Arbitrary<Fuzzed>[], 1000)
  const visitor = await aMember({ databases })
  t.equal((await backend.inject({ url: '/api/viewer', headers: { cookie: visitor.cookie } })).statusCode, 200)
})
