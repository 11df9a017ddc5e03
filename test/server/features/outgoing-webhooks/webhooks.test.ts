import t, { type Test } from 'tap'
import { deleteOldDeliveries } from '#server/features/outgoing-webhooks/delivery-store.ts'
import { signedHeaders } from '#server/features/outgoing-webhooks/signature.ts'
import { webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const url = 'https://orders.example.com/recado'
const path = '/whatsapp/outgoing-webhooks'

interface Heard {
  readonly url: string
  readonly method: string
  readonly body: string
  readonly headers: Record<string, string>
}

/** An organization with a customer who wrote, and a program that responds as the test says. */
const stage = async (t: Test) => {
  const heard: Heard[] = []
  const program = { answer: () => new Response('thanks') as Response | Promise<Response> }
  const fetch = async (address: string, init: RequestInit) => {
    heard.push({
      ...{ url: address, method: init.method ?? '', body: String(init.body) },
      headers: Object.fromEntries(new Headers(init.headers)),
    })
    return program.answer()
  }
  const all = await flowStage(
    t,
    graphOf([{ id: 'm', type: 'message', text: 'bienvenida' }], [['s', 'next', 'm']]),
    [],
    {
      pushFetch: fetch as unknown as typeof globalThis.fetch,
    },
  )
  const { backend, call } = all
  await all.say('Buenas')
  const add = async (name = 'orders') => {
    const reply = await call('POST', path, { name, url })
    t.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.secret as string
  }
  const test = async (name = 'orders') => {
    const reply = await call('POST', `${path}/${name}/test`)
    t.equal(reply.status, 202, JSON.stringify(reply.body))
    await backend.settle()
    return reply.body.id as string
  }
  const deliveries = async (name = 'orders') => (await call('GET', `${path}/${name}/deliveries`)).body.items
  const list = async () => (await call('GET', path)).body.items
  return { ...all, heard, program, add, test, deliveries, list }
}

t.test('a webhook gets events signed with a secret that is shown once and stored encrypted', async t => {
  const { backend, call, heard, add, test, deliveries, list, owner } = await stage(t)
  const secret = await add()
  t.match(secret, /^whsec_/)
  const id = await test()
  const [one] = heard
  t.match(one, { url, method: 'POST', headers: { 'content-type': 'application/json', 'webhook-id': id } })
  const atSeconds = Number(one?.headers['webhook-timestamp'])
  t.ok(Math.abs(atSeconds - backend.clock.now().getTime() / 1000) < 60)
  t.match(one?.headers, signedHeaders([secret], { id, atSeconds, body: one?.body ?? '' }))
  t.match(JSON.parse(one?.body ?? ''), { type: 'test', data: { webhook: 'orders', by: 'Ana' } })
  t.match(await deliveries(), [
    { id, type: 'test', state: 'delivered', attempts: 1, status: 200, failure: null, answer: 'thanks', nextAt: null },
  ])
  t.match(await list(), [{ name: 'orders', url, active: true, stoppedFor: null, last: { state: 'delivered' } }])
  const next = (await call('POST', `${path}/orders/secret`)).body.secret
  t.not(next, secret)
  await test()
  const last = heard.at(-1)
  const again = { id: last?.headers['webhook-id'] ?? '', atSeconds: Number(last?.headers['webhook-timestamp']) }
  t.match(last?.headers, signedHeaders([next, secret], { ...again, body: last?.body ?? '' }))
  const kept = JSON.stringify([await list(), await deliveries()])
  const rows = JSON.stringify(await backend.databases.read.selectFrom('outgoing_webhook').selectAll().execute())
  for (const one of [secret, next]) t.notMatch(kept + rows, one.slice(6, 20))
  const audited = await backend.databases.read
    .selectFrom('audit_entry')
    .select('action')
    .where('org_id', '=', owner.org.id)
    .where('action', 'like', 'webhook%')
    .orderBy('id')
    .execute()
  t.same(
    audited.map(({ action }) => action),
    ['webhookCreated', 'webhookSecretReplaced'],
  )
  t.same(backend.errors(), [])
})

t.test('a failed delivery is retried with growing delays, and after a day the webhook is disabled', async t => {
  const { backend, call, heard, program, add, test, deliveries, list, later } = await stage(t)
  await add()
  program.answer = () => new Response('busy', { status: 503 })
  const id = await test()
  t.match(await deliveries(), [{ id, state: 'waiting', attempts: 1, status: 503, failure: 'status', answer: 'busy' }])
  const gaps: number[] = []
  let before = backend.clock.now().getTime()
  while ((await deliveries())[0].state === 'waiting' && gaps.length < 20) {
    const [{ nextAt, attempts }] = await deliveries()
    const gap = Date.parse(nextAt) - before
    await later(gap - 1000)
    t.equal(heard.length, attempts, 'not before its time')
    await later(1000)
    gaps.push(gap)
    before = backend.clock.now().getTime()
  }
  t.equal(gaps.length, 10)
  t.same(
    gaps,
    [...gaps].sort((a, b) => a - b),
  )
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  t.ok(total > 20 * hourMs && total < 25 * hourMs, `${total / hourMs} h`)
  t.equal(new Set(heard.map(({ headers }) => headers['webhook-id'])).size, 1, 'each attempt has the same id')
  t.match(await deliveries(), [{ state: 'failed', attempts: 11 }])
  t.match(await list(), [{ active: false, stoppedFor: 'failing' }])
  const { body } = await call('GET', '/notify')
  t.match(JSON.stringify(body), 'Outgoing webhook turned off')
  t.equal((await call('POST', `${path}/orders/test`)).status, 409)
  t.equal((await call('POST', `${path}/orders/deliveries/${id}/redeliver`)).status, 409)
  program.answer = () => new Response(null, { status: 204 })
  t.match((await call('PATCH', `${path}/orders`, { active: true })).body, { active: true, stoppedFor: null })
  t.equal((await call('POST', `${path}/orders/deliveries/${id}/redeliver`)).status, 202)
  await backend.settle()
  t.match(await deliveries(), [{ id, state: 'delivered', status: 204 }])
  t.equal(heard.at(-1)?.headers['webhook-id'], id)
  t.equal(heard.at(-1)?.body, heard[0]?.body)
})

t.test('one event that always fails does not disable a webhook that accepts the others', async t => {
  const { program, heard, add, test, deliveries, list, later } = await stage(t)
  await add()
  let bad = ''
  program.answer = () => {
    bad ||= heard.at(-1)?.headers['webhook-id'] ?? ''
    return new Response(null, { status: heard.at(-1)?.headers['webhook-id'] === bad ? 422 : 200 })
  }
  await test()
  await test()
  for (let n = 0; n < 11; n += 1) await later(8 * hourMs)
  t.match(await deliveries(), [{ state: 'delivered' }, { id: bad, state: 'failed', attempts: 11 }])
  t.match(await list(), [{ active: true, stoppedFor: null }])
})

t.test('an address that answers 410 is not called again; a redirect is not followed', async t => {
  const { program, heard, add, test, deliveries, list } = await stage(t)
  await add()
  program.answer = () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example.com/' } })
  await test()
  t.match(await deliveries(), [{ state: 'waiting', status: 302 }])
  t.equal(heard.length, 1)
  program.answer = () => new Response(null, { status: 410 })
  await test()
  t.match(await list(), [{ active: false, stoppedFor: 'gone' }])
})

t.test('an unreachable address reports why, and the useful part of a response is stored', async t => {
  const { program, add, test, deliveries } = await stage(t)
  await add()
  program.answer = () => Promise.reject(new TypeError('refused'))
  await test()
  t.match((await deliveries())[0], { state: 'waiting', failure: 'network', status: null })
  program.answer = () => new Response('x'.repeat(300_000))
  await test()
  const [large] = await deliveries()
  t.match(large, { state: 'delivered', status: 200, failure: null }, 'what is long was taken all the same')
  t.equal(large.answer.length, 16 * 1024)
  program.answer = () => new Response(`a\0b${'é'.repeat(20_000)}`)
  await test()
  const [{ answer, state }] = await deliveries()
  t.equal(state, 'delivered')
  t.match(answer, /^abé+/)
  t.ok(Buffer.byteLength(answer) < 16_500)
})

t.test('deliveries of a deleted webhook are not sent, and those of a disabled one are kept', async t => {
  const { backend, call, program, heard, add, test, deliveries, later } = await stage(t)
  await add()
  await add('crm')
  program.answer = () => new Response(null, { status: 500 })
  await test()
  await test('crm')
  await call('PATCH', `${path}/orders`, { active: false })
  t.equal((await call('DELETE', `${path}/crm`)).status, 200)
  heard.length = 0
  await later(10_000)
  t.equal(heard.length, 0)
  t.match(await deliveries(), [{ state: 'failed', failure: 'inactive' }])
  t.equal((await call('GET', `${path}/crm/deliveries`)).status, 404)
  t.same(await backend.databases.read.selectFrom('webhook_delivery').select('webhook').execute(), [
    { webhook: 'orders' },
  ])
  t.same(backend.errors(), [])
})

t.test('invalid names and addresses are refused by name, and change nothing', async t => {
  const { call, add, list } = await stage(t)
  for (const [body, field] of [
    [{ name: 'Orders', url }, 'body.name'],
    [{ name: '', url }, 'body.name'],
    [{ name: '1st', url }, 'body.name'],
    [{ name: 'a'.repeat(41), url }, 'body.name'],
    [{ name: 'ok', url: 'http://orders.example.com/' }, 'body.url'],
    [{ name: 'ok', url: 'https://localhost/' }, 'body.url'],
    [{ name: 'ok', url: 'https://10.0.0.1/' }, 'body.url'],
    [{ name: 'ok', url: 'https://[::ffff:127.0.0.1]/' }, 'body.url'],
    [{ name: 'ok', url: 'https://0x7f000001/' }, 'body.url'],
    [{ name: 'ok', url: 'https://a:b@orders.example.com/' }, 'body.url'],
    [{ name: 'ok', url: 'https://orders.example.com:8443/' }, 'body.url'],
    [{ name: 'ok', url: `https://orders.example.com/${'x'.repeat(2000)}` }, 'body.url'],
    [{ name: 'ok' }, 'body.url'],
  ] as const) {
    const reply = await call('POST', path, body)
    t.equal(reply.status, 400, JSON.stringify(body))
    t.equal(reply.body.details[0].field, field, JSON.stringify(body))
  }
  t.same(await list(), [])
  await add()
  t.match(await call('POST', path, { name: 'orders', url }), {
    status: 409,
    body: { code: 'OUTGOING_WEBHOOKS_NAME_TAKEN' },
  })
  t.equal((await call('PATCH', `${path}/orders`, { url: 'https://intranet.local/' })).status, 400)
  t.equal((await call('PATCH', `${path}/none`, { active: true })).status, 404)
  for (let n = 1; n < webhookLimits.webhooks; n += 1) await add(`hook-${n}`)
  t.match(await call('POST', path, { name: 'more', url }), {
    status: 409,
    body: { code: 'OUTGOING_WEBHOOKS_TOO_MANY' },
  })
})

t.test('a member may list them only', async t => {
  const { backend, add, owner } = await stage(t)
  await add()
  const { cookie } = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  const ask = (method: 'GET' | 'POST', more = '') =>
    backend.inject({
      method,
      url: `/api${path}${more}`,
      headers: { cookie },
      ...(method === 'POST' ? { payload: { name: 'x', url } } : {}),
    })
  t.equal((await ask('GET')).statusCode, 403)
  t.equal((await ask('POST')).statusCode, 403)
  t.same((await ask('GET', '/names')).json(), { items: ['orders'] })
})

t.test('a member who sees only some conversations can neither change a webhook nor read its deliveries', async t => {
  const { backend, call, add, test, owner, databases } = await stage(t)
  await add()
  const id = await test()
  const { cookie } = await aMember({ databases, org: owner.org, role: 'developer' })
  const statuses = async () => {
    const codes: number[] = []
    for (const [method, more, payload] of [
      ['GET', ''],
      ['GET', '/orders/deliveries'],
      ['POST', `/orders/deliveries/${id}/redeliver`],
      ['PATCH', '/orders', { url }],
      ['POST', '/orders/secret'],
    ] as const) {
      const asked = { method, url: `/api${path}${more}`, headers: { cookie }, ...(payload ? { payload } : {}) }
      codes.push((await backend.inject(asked)).statusCode)
    }
    return codes
  }
  t.same(await statuses(), [200, 200, 202, 200, 200])
  t.equal((await call('PUT', '/members/content-access', { conversations: true })).status, 200)
  t.same(await statuses(), [200, 403, 403, 403, 403])
})

t.test('deliveries are paged, and deleted after thirty days', async t => {
  const { backend, call, add, test } = await stage(t)
  await add()
  const ids: string[] = []
  for (let n = 0; n < webhookLimits.deliveriesAtOnce + 2; n += 1) {
    backend.clock.advance(1000)
    ids.unshift(await test())
  }
  const first = (await call('GET', `${path}/orders/deliveries`)).body
  const second = (await call('GET', `${path}/orders/deliveries?before=${first.next}`)).body
  t.same(
    [...first.items, ...second.items].map(({ id }: { id: string }) => id),
    ids,
  )
  t.equal(second.next, null)
  const at = (days: number) => new Date(backend.clock.now().getTime() + days * dayMs).toISOString()
  const gone = (days: number) => deleteOldDeliveries(backend.databases.write, at(days - webhookLimits.days), 500)
  t.equal(await gone(webhookLimits.days - 1), 0)
  t.equal(await gone(webhookLimits.days + 1), ids.length)
})

t.test('a tap informs another program once, also while a person has the conversation', async t => {
  const { backend, call, heard, add } = await stage(t)
  await add()
  const ask = (data: object) =>
    call('POST', '/whatsapp/messages', {
      ...{ type: 'actionRecado', message: '¿Seguimos?', labelRecado: 'Dale', numberTel: flowPhone },
      ...{ isHuman: true, action: 'webhook', data },
    })
  for (const data of [{}, { name: 'none' }, { name: 'orders', reference: ' ' }, { name: 'orders', other: 1 }]) {
    const reply = await ask(data)
    t.equal(reply.status, 400, JSON.stringify(data))
    t.match(reply.body.details[0].field, /^body\.data/)
  }
  const tap = async (choiceId: string) => {
    backend.clock.advance(1000)
    const body = { from: flowPhone, type: 'button_reply', name: 'Lucía', choiceId, choiceTitle: 'Dale' }
    t.ok((await call('POST', '/sandbox/inbound', body)).status < 300)
    await backend.settle()
  }
  const send = async (data: object) => {
    const reply = await ask(data)
    t.equal(reply.status, 202, JSON.stringify(reply.body))
    await backend.settle()
    return reply.body
  }
  const sent = await send({ name: 'orders', reference: 'pedido 42' })
  t.equal(heard.length, 0)
  await tap(sent.interactive.buttons[0].id)
  await tap(sent.interactive.buttons[0].id)
  t.equal(heard.length, 1)
  t.match(JSON.parse(heard[0]?.body ?? ''), {
    type: 'action.tapped',
    data: {
      ...{ messageId: sent.id, label: 'Dale', reference: 'pedido 42' },
      contact: { name: 'Lucía', phone: flowPhone },
    },
  })
  const other = await send({ name: 'orders' })
  await call('DELETE', `${path}/orders`)
  await tap(other.interactive.buttons[0].id)
  t.equal(heard.length, 1)
  const notes = await backend.databases.read.selectFrom('message').select('text').where('type', '=', 'note').execute()
  t.match(notes.at(-1)?.text, /^Tocó «Dale», que avisa a «orders», y no se pudo/)
  t.same(backend.errors(), [])
})
