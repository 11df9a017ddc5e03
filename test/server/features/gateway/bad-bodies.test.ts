/** Whatever a program sends, it gets an answer in Meta's shape, and nothing fails inside. */
import fc from 'fast-check'
import t from 'tap'
import { Compile } from 'typebox/compile'
import { ErrorEnvelope } from '#server/whatsapp/graph/wire.ts'
import { gatewayStage } from '#test/helpers/gateway-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const isError = Compile(ErrorEnvelope)
const reply = { id: 'a', title: 'A' }
const card = { card_index: 0, type: 'cta_url', header: { type: 'image', image: { link: 'https://x.example/a.png' } } }
/** One valid body for each type, to be broken in one place. */
const bodies: readonly Record<string, unknown>[] = [
  { type: 'text', text: { body: 'x', preview_url: true }, context: { message_id: 'wamid.x' } },
  { type: 'image', image: { id: '1', caption: 'x' } },
  { type: 'document', document: { link: 'https://x.example/a.pdf', filename: 'a.pdf' } },
  { type: 'audio', audio: { id: '1', voice: true } },
  { type: 'location', location: { latitude: '1', longitude: 2, name: 'x', address: 'y' } },
  {
    type: 'contacts',
    contacts: [{ name: { formatted_name: 'x', first_name: 'x' }, phones: [{ phone: '+1', wa_id: '1' }], org: {} }],
  },
  { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } },
  {
    type: 'interactive',
    interactive: {
      type: 'button',
      header: { type: 'image', image: { id: '1' } },
      body: { text: 'x' },
      footer: { text: 'x' },
      action: { buttons: [{ type: 'reply', reply }] },
    },
  },
  {
    type: 'interactive',
    interactive: {
      type: 'list',
      body: { text: 'x' },
      action: { button: 'x', sections: [{ title: 'x', rows: [{ id: 'a', title: 'b', description: 'c' }] }] },
    },
  },
  { type: 'interactive', interactive: { type: 'carousel', body: { text: 'x' }, action: { cards: [card, card] } } },
  {
    type: 'interactive',
    interactive: {
      type: 'cta_url',
      body: { text: 'x' },
      action: { name: 'cta_url', parameters: { display_text: 'x', url: 'https://x.example' } },
    },
  },
  {
    type: 'template',
    template: {
      name: 'x',
      language: { code: 'es_AR' },
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { id: '1' } }] },
        { type: 'body', parameters: [{ type: 'currency', currency: { fallback_value: 'x' } }] },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'x' }] },
        { type: 'limited_time_offer', parameters: [{ limited_time_offer: { expiration_time_ms: 9e15 } }] },
        { type: 'carousel', cards: [{ card_index: 0, components: [{ type: 'body', parameters: [] }] }] },
      ],
    },
  },
  { status: 'read', message_id: 'wamid.x', typing_indicator: { type: 'text' } },
]

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e300,
    '',
    ' ',
    'x'.repeat(5000),
    '\u0000',
    '\ud800',
    '__proto__',
    [],
    {},
    { toString: null, valueOf: 1, toJSON: 'x' },
    'constructor',
    [[]],
    [null],
    { type: null },
    'wamid.',
    'https://',
    'toString',
  ),
  fc.jsonValue(),
)

/** The paths of all values in it. */
const pathsIn = (value: unknown, path: readonly (string | number)[] = []): (string | number)[][] =>
  typeof value !== 'object' || value === null
    ? [[...path]]
    : [
        ...(path.length ? [[...path]] : []),
        ...Object.entries(value).flatMap(([key, inner]) =>
          pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
        ),
      ]

const broken = fc.constantFrom(...bodies).chain(body =>
  fc.record({ path: fc.constantFrom(...pathsIn(body)), value: strange }).map(({ path, value }) => {
    const copy = structuredClone(body) as Record<string | number, unknown>
    let at = copy
    for (const key of path.slice(0, -1)) at = at[key] as typeof at
    at[path.at(-1) as string] = value
    return copy
  }),
)

t.test('a body that is broken anywhere', async t => {
  const { send, say, backend } = await gatewayStage(t)
  await say('Buenas')
  await fc.assert(
    fc.asyncProperty(broken, async body => {
      const { status, body: answer } = await send(body)
      if (status === 200) return
      if (status >= 500 || !isError.Check(answer)) throw new Error(`${status} ${JSON.stringify(answer)}`)
    }),
    { numRuns: 400 },
  )
  await backend.settle()
  t.same(backend.errors(), [])
})

t.test('addresses and bodies that are no calls', async t => {
  const { backend, key, number } = await gatewayStage(t)
  const headers = { authorization: `Bearer ${key}` }
  for (const [method, url, payload] of [
    ['GET', '/graph/'],
    ['GET', '/graph/v25.0'],
    ['GET', '/graph/v25.0/../../api/notify'],
    ['GET', `/graph/v25.0/${number}/%00`],
    ['GET', `/graph/v25.0/${'9'.repeat(290)}`],
    ['GET', '/graph/whatsapp_business/attachments/'],
    ['GET', '/graph/whatsapp_business/attachments/?mid=a&mid=b'],
    ['GET', `/graph/v25.0/${number}?fields=a{b{c`],
    ['POST', `/graph/v25.0/${number}/messages`, '{'],
    ['POST', `/graph/v25.0/${number}/messages`, '['.repeat(50_000)],
    ['POST', `/graph/v25.0/${number}/messages`, `{"messaging_product":"whatsapp","x":"${'x'.repeat(300_000)}"}`],
    ['DELETE', `/graph/v25.0/${number}/media`],
  ] as const) {
    const reply = await backend.inject({
      method,
      url,
      headers: { ...headers, ...(payload ? { 'content-type': 'application/json' } : {}) },
      ...(payload ? { payload } : {}),
    })
    t.ok(reply.statusCode >= 400 && reply.statusCode < 500, `${method} ${url.slice(0, 60)}: ${reply.statusCode}`)
  }
  t.same(backend.errors(), [])
})
