/** What programs that are wrong, or hostile, send to an incoming webhook. */
import t from 'tap'
import { incomingLimits } from '#shared/incoming-hooks/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { flowPhone } from '#test/helpers/flow-stage.ts'
import { incomingPath, incomingStage } from '#test/helpers/incoming-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('what cannot be read is refused in words, and stands in the log', async t => {
  const { makeHook, post, calls, databases, backend } = await incomingStage(t)
  const { id, at } = await makeHook({ kind: 'note', text: 'Pedido {{order.id}}' })
  const refused = async (body: unknown, headers: Record<string, string> = {}) => {
    const reply = await post(at, body, { 'accept-language': 'en', ...headers })
    const { code, details = [] } = reply.body as { code: string; details?: { field: string; message: string }[] }
    return `${reply.status} ${details.map(one => `${one.field}: ${one.message}`).join(' · ') || code}`
  }
  const phone = flowPhone
  const own = (await databases.read.selectFrom('wa_connection').select('phone').executeTakeFirstOrThrow()).phone
  for (const [body, expected] of [
    ['', '400 APP_BAD_JSON'],
    ['hola', '400 APP_BAD_JSON'],
    ['{"a":1', '400 APP_BAD_JSON'],
    ['phone=1&x=2', '400 APP_BAD_JSON'],
    [Buffer.from([0x22, 0xff, 0x22]), '400 APP_BAD_TEXT'],
    [`${'['.repeat(500)}1${']'.repeat(500)}`, '400 APP_BAD_JSON'],
    [`[${'1,'.repeat(incomingLimits.bodyValues)}1]`, '413 APP_TOO_LARGE'],
    ['{"__proto__":{"phone":"1"}}', '400 APP_BAD_JSON'],
    ['{"constructor":{"prototype":{"phone":"1"}}}', '400 APP_BAD_JSON'],
    [
      'null',
      '400 body.customer.phone: The content has no “customer.phone”. · body.order.id: The content has no “order.id”.',
    ],
    [
      '"x"',
      '400 body.customer.phone: The content has no “customer.phone”. · body.order.id: The content has no “order.id”.',
    ],
    [{ customer: { phone }, order: {} }, '400 body.order.id: The content has no “order.id”.'],
    [
      { customer: { phone: { value: phone } }, order: { id: [1] } },
      '400 body.customer.phone: “customer.phone” is a list or a group of fields: choose a field inside it. · body.order.id: “order.id” is a list or a group of fields: choose a field inside it.',
    ],
    [{ customer: { phone: null }, order: { id: 1 } }, '400 body.customer.phone: “customer.phone” is empty.'],
    [{ customer: { phone: '  ' }, order: { id: 1 } }, '400 body.customer.phone: “customer.phone” is empty.'],
    [
      { customer: { phone: 'mañana' }, order: { id: 1 } },
      "400 body.customer.phone: “mañana” couldn't be read as a phone number.",
    ],
    [
      { customer: { phone: true }, order: { id: 1 } },
      "400 body.customer.phone: “true” couldn't be read as a phone number.",
    ],
    [{ customer: { phone: `+${own}` }, order: { id: 1 } }, "400 body.customer.phone: It isn't valid."],
    [{ customer: { phone: '1'.repeat(100_000) }, order: { id: 1 } }, undefined],
  ] as const) {
    const said = await refused(body)
    if (expected === undefined) t.match(said, /^400 body\.customer\.phone: /)
    else t.equal(said, expected)
  }
  t.equal(await refused('x'.repeat(1024 * 1024)), '413 APP_TOO_LARGE')
  const logged = await databases.read.selectFrom('incoming_call').select(['state', 'body']).execute()
  t.equal(logged.length, 19)
  t.ok(logged.every(({ state, body }) => state === 'refused' && (body?.length ?? 0) <= incomingLimits.keptBytes))
  t.same(await databases.read.selectFrom('contact').select('id').execute(), [])
  const [newest] = await calls(id)
  t.ok(newest.says.length < 2000, 'a value is not repeated at length')
  const plain = await post(at, JSON.stringify({ customer: { phone }, order: { id: 1 } }), {
    'content-type': 'text/plain',
  })
  t.equal(plain.status, 201, 'JSON is JSON, whatever it is called')
  t.same(backend.errors(), [])
})

t.test('names of prototypes, and characters that cannot be stored, are values like others', async t => {
  const { makeHook, post, messages, backend } = await incomingStage(t)
  const { at } = await makeHook({ kind: 'note', text: '{{constructor}} {{toString}} {{length}}' })
  const missing = await post(at, { customer: { phone: flowPhone } })
  t.match(missing, { status: 400, body: { details: [{ field: 'body.constructor' }] } })
  const given = {
    customer: { phone: flowPhone },
    constructor: 'a\u0000b',
    toString: '\ud800',
    length: '{{customer.phone}}',
  }
  t.equal((await post(at, given)).status, 201)
  const [note] = (await messages()).slice(-1)
  t.equal(note?.text, 'ab \ufffd {{customer.phone}}', 'a value is not filled in again')
  t.same(backend.errors(), [])
})

t.test(
  'the address of one organization does nothing in another, and its hook cannot be reached from there',
  async t => {
    const { makeHook, post, databases, backend, owner, tag } = await incomingStage(t)
    const { id, at } = await makeHook({ kind: 'tag', tagId: tag })
    const stranger = await aMember({ databases, orgName: 'Taller' })
    const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
      (
        await backend.inject({
          ...{ method, url: `/api${incomingPath}${path}`, headers: { cookie: stranger.cookie } },
          ...(payload ? { payload } : {}),
        })
      ).statusCode
    t.equal(await ask('GET', `/${id}/calls`), 404)
    t.equal(await ask('PATCH', `/${id}`, { active: false }), 404)
    t.equal(await ask('POST', `/${id}/address`), 404)
    t.equal(await ask('POST', `/${id}/calls/x/replay`), 404)
    t.equal(await ask('DELETE', `/${id}`), 404)
    const action = { kind: 'tag', number: '{{phone}}', tagId: tag }
    const body = await backend.inject({
      ...{ method: 'POST', url: `/api${incomingPath}`, headers: { cookie: stranger.cookie } },
      payload: { name: 'Suyo', action },
    })
    t.equal(body.statusCode, 201)
    await backend.inject({
      method: 'POST',
      url: '/api/whatsapp/connection/sandbox',
      headers: { cookie: stranger.cookie },
    })
    const theirs = await post(new URL(body.json().url).pathname, { phone: flowPhone })
    t.match(theirs, { status: 404, body: { code: 'TAGS_NOT_FOUND' } }, "another organization's tag is none")
    t.equal((await post(at, { customer: { phone: flowPhone } })).status, 201)
    t.equal((await post(`${at}x`, {})).status, 404)
    const tagged = await databases.read
      .selectFrom('contact_tag')
      .innerJoin('contact', 'contact.id', 'contact_tag.contact_id')
      .select('contact.org_id')
      .execute()
    t.same(tagged, [{ org_id: owner.org.id }])
  },
)

t.test('who does not manage connections, or sees only some conversations, gets no hooks', async t => {
  const { databases, owner, backend } = await incomingStage(t)
  for (const role of ['member', 'viewer', 'billing'] as const) {
    const { cookie } = await aMember({ databases, org: owner.org, role })
    const reply = await backend.inject({ method: 'GET', url: `/api${incomingPath}`, headers: { cookie } })
    t.equal(reply.statusCode, 403, role)
  }
  const developer = await aMember({ databases, org: owner.org, role: 'developer' })
  const reply = await backend.inject({
    method: 'GET',
    url: `/api${incomingPath}`,
    headers: { cookie: developer.cookie },
  })
  t.equal(reply.statusCode, 200)
})
