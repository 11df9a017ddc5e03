import t, { type Test } from 'tap'
import { hookBytes, hookCallsPerMinute } from '#shared/flows/triggers/hooks.ts'
import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'
import { type Drawn, flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const question: Drawn = {
  ...{ id: 'q', type: 'question', text: 'Tu pedido {{flujo.pedido}} salió. ¿Lo recibís hoy?', expects: 'text' },
  ...{ variable: 'hoy', attempts: 1, timeoutMs: 0 },
}
const asks = graphOf([question], [['s', 'next', 'q']])
const onHook: WireTrigger[] = [{ id: 'hook', kind: 'webhook', variables: ['pedido', 'monto'] }]

/**
 * A live flow with a webhook trigger, and a program that calls it. The customer has just written, unless the test says
 * otherwise.
 */
const stage = async (
  t: Test,
  {
    graph = asks,
    triggers = onHook,
    isKnown = true,
  }: { graph?: WireGraph; triggers?: WireTrigger[]; isKnown?: boolean } = {},
) => {
  const all = await flowStage(t, graph, triggers)
  const { backend, call, flow, owner } = all
  const path = `/whatsapp/flows/${flow}`
  const hook = async () => (await call('GET', `${path}/hook`)).body.hook
  const address = async () => new URL((await hook()).url).pathname
  const at = await address()
  const post = async (body: unknown, headers: Record<string, string> = {}, url = at) => {
    const reply = await backend.inject({
      ...{ method: 'POST', url, payload: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', ...headers },
    })
    await backend.settle()
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
  }
  if (isKnown) await all.say('Buenas')
  /** Makes nobody the owner of the conversation, as if the customer had not written. */
  const release = () => call('POST', `/whatsapp/conversations/${flowPhone}/control`, { owner: 'bot' })
  if (isKnown) await release()
  const runs = async () => (await call('GET', `${path}/runs`)).body.items
  return { ...all, owner, path, at, hook, address, post, release, runs }
}

t.test('a program starts a flow for a number and supplies variables for its texts', async t => {
  const { backend, post, said, say, runs, call, sessions, hook, flow } = await stage(t)
  t.same((await call('GET', '/whatsapp/flow-hooks')).body.items, [{ flowId: flow, calledAt: null }])
  const reply = await post({ numberTel: '+54 9 11 5555-0404', variables: { pedido: 'A-17', monto: 1200.5 } })
  t.match(reply, { status: 201, body: { state: 'waitingAnswer' } })
  t.same(await said(), ['Tu pedido A-17 salió. ¿Lo recibís hoy?'])
  t.match(await runs(), [{ id: reply.body.id, trigger: 'hook', contact: { phone: flowPhone } }])
  const { timeline } = (await call('GET', `/whatsapp/flow-runs/${reply.body.id}`)).body
  t.same(timeline[0].changes, { pedido: { before: null, after: 'A-17' }, monto: { before: null, after: '1200.5' } })
  t.equal((await hook()).calledAt, backend.clock.now().toISOString())
  t.same((await call('GET', '/whatsapp/flow-hooks')).body.items, [
    { flowId: flow, calledAt: backend.clock.now().toISOString() },
  ])
  await say('menú')
  t.same((await said()).slice(1), ['Tu pedido A-17 salió. ¿Lo recibís hoy?'], 'begun again it still knows the order')
  await say('sí')
  t.same(await sessions(), ['restarted', 'finished'])
  t.same(backend.errors(), [])
})

t.test('an invalid call is refused by its field, in the caller’s language', async t => {
  const { post, databases, owner, backend, at } = await stage(t, { isKnown: false })
  const fields = async (body: unknown) => {
    const { status, body: wire } = await post(body, { 'accept-language': 'en' })
    t.equal(status, 400, JSON.stringify(wire))
    return (wire.details as { field: string }[]).map(({ field }) => field)
  }
  t.same(await fields({}), ['body.numberTel'])
  t.same(await fields({ numberTel: 'mañana' }), ['body.numberTel'])
  t.same(await fields({ numberTel: 5491155550404 }), ['body.numberTel'])
  t.same(await fields({ numberTel: flowPhone, variables: { pedido: '1', otro: '2' } }), ['body.variables.otro'])
  t.same(await fields({ numberTel: flowPhone, variables: { pedido: { a: 1 } } }), ['body.variables.pedido'])
  t.same(await fields({ numberTel: flowPhone, variables: { constructor: 'x' } }), ['body.variables.constructor'])
  t.same(await fields({ numberTel: flowPhone, phone: '5491100000000' }), ['body.phone'])
  t.same(await fields({ numberTel: flowPhone, nombre: 'x' }), ['body.nombre'])
  const own = await databases.read
    .selectFrom('wa_connection')
    .select('phone')
    .where('org_id', '=', owner.org.id)
    .executeTakeFirstOrThrow()
  t.same(await fields({ numberTel: `+${own.phone}` }), ['body.numberTel'], 'our own')
  const spanish = await post({}, { 'accept-language': 'es' })
  const english = await post({}, { 'accept-language': 'en' })
  t.not(spanish.body.message, english.body.message)
  t.equal((await post({ numberTel: flowPhone, variables: { pedido: 'x'.repeat(hookBytes) } })).status, 413)
  const form = await backend.inject({
    method: 'POST',
    url: at,
    payload: 'numberTel=1',
    headers: { 'content-type': 'text/plain' },
  })
  t.equal(form.statusCode, 415)
  t.same(await databases.read.selectFrom('contact').select('id').execute(), [], 'nobody became a contact')
  t.same(backend.errors(), [])
})

t.test('a contact silent for a day can be started with a template only, and a refusal stores nothing', async t => {
  const { post, databases } = await stage(t, { isKnown: false })
  const reply = await post({ numberTel: flowPhone, variables: { pedido: '1' } })
  t.match(reply, { status: 409, body: { code: 'FLOWS_WINDOW_CLOSED' } })
  for (const table of ['contact', 'conversation', 'flow_session'] as const)
    t.same(await databases.read.selectFrom(table).select('id').execute(), [], table)
})

const byTemplate = graphOf(
  [
    {
      ...{ id: 'q', type: 'question', text: 'Tu pedido {{flujo.pedido}} salió.', expects: 'text', variable: 'hoy' },
      ...{ attempts: 1, timeoutMs: 0 },
      fallback: { template: 'pedido_en_camino', language: 'es_AR', values: { 'body.1': '{{flujo.pedido}}' } },
    },
  ],
  [['s', 'next', 'q']],
)

/** Draws a flow whose first message is an approved template of this category, and publishes it. */
const publishTemplate = async ({ call, backend, path }: Awaited<ReturnType<typeof stage>>, category: string) => {
  const components = [{ type: 'BODY', text: 'Hola, tu pedido {{1}} salió hoy.', example: { body_text: [['A-1']] } }]
  const template = { name: 'pedido_en_camino', language: 'es_AR', category, components }
  const made = await call('POST', '/whatsapp/template', { template })
  backend.clock.advance(60_000)
  await backend.settle()
  await call('POST', `/sandbox/template/${made.body.id}`, { status: 'APPROVED' })
  await backend.settle()
  await call('POST', '/whatsapp/template/sync')
  await backend.settle()
  await call('PUT', path, { revision: 1, graph: byTemplate })
  return call('POST', `${path}/publish`, {})
}

t.test('the first message to an unknown number must be a template', async t => {
  const all = await stage(t, { isKnown: false })
  const { post, said, say, sessions, call, backend } = all
  t.equal((await publishTemplate(all, 'UTILITY')).status, 200)
  t.match(await post({ numberTel: '011 15-5555-0404', variables: { pedido: 'B-2' } }), { status: 201 })
  t.same(await said(), ['Hola, tu pedido B-2 salió hoy.'])
  t.match((await call('GET', '/whatsapp/conversations')).body.items, [{ phone: flowPhone, control: 'bot' }])
  await say('Gracias')
  t.same(await sessions(), ['finished'], 'what they answer is for the flow')
  t.same(backend.errors(), [])
})

t.test('an opted-out contact gets no marketing by a call, but everything else', async t => {
  for (const [category, expected] of [
    ['MARKETING', 409],
    ['UTILITY', 201],
  ] as const) {
    const all = await stage(t)
    await all.say('baja')
    await all.release()
    t.equal((await publishTemplate(all, category)).status, 200)
    const { status, body } = await all.post({ numberTel: flowPhone, variables: { pedido: '1' } })
    t.equal(status, expected, category)
    if (status === 409) t.equal(body.code, 'FLOWS_OPTED_OUT')
  }
})

t.test('a repeated key starts nothing again, and another call with the same key is refused', async t => {
  const { post, said, runs, say, databases, owner } = await stage(t)
  const key = { 'idempotency-key': 'pedido-17' }
  const body = { numberTel: flowPhone, variables: { pedido: '17' } }
  const first = await post(body, key)
  t.equal(first.status, 201)
  const second = await post(body, key)
  t.same(second.body, first.body)
  t.equal(second.headers['idempotency-replayed'], 'true')
  t.match(await post({ ...body, variables: { pedido: '18' } }, key), {
    status: 409,
    body: { code: 'APP_IDEMPOTENCY_MISMATCH' },
  })
  await say('sí')
  // The process died after its work and before its response.
  await databases.write.deleteFrom('idempotency').where('org_id', '=', owner.org.id).execute()
  const third = await post(body, key)
  t.match(third, { status: 201, body: { id: first.body.id, state: 'finished' } })
  t.equal((await runs()).length, 1)
  t.equal((await said()).length, 1)
  t.equal((await post(body)).status, 201, 'without a key it begins again')
})

t.test('each reason that prevents a start has its own answer', async t => {
  const { call, post, path, release, say, later } = await stage(t)
  const code = async () => {
    const { status, body } = await post({ numberTel: flowPhone, variables: { pedido: '1' } })
    return status === 201 ? 'begun' : `${status} ${body.code}`
  }
  t.equal(await code(), 'begun')
  t.equal(await code(), '409 FLOWS_IN_A_FLOW')
  await say('salir')
  await call('POST', `/whatsapp/conversations/${flowPhone}/control`, { owner: 'human' })
  t.equal(await code(), '409 FLOWS_WITH_A_PERSON')
  await release()
  await call('POST', `${path}/pause`, {})
  t.equal(await code(), '409 FLOWS_NOT_LIVE')
  await call('POST', `${path}/pause`, { paused: false })
  const publish = async (triggers: WireTrigger[], graph = asks) => {
    const { revision } = (await call('GET', path)).body
    await call('PUT', path, { revision, triggers, graph })
    t.equal((await call('POST', `${path}/publish`, {})).status, 200)
  }
  await publish([{ kind: 'webhook', variables: ['pedido'], oncePerContact: true }])
  t.equal(await code(), '409 FLOWS_HOOK_BEFORE')
  const { id: tagId } = (await call('POST', '/whatsapp/tags', { label: 'VIP' })).body
  await publish([{ kind: 'webhook', variables: ['pedido'], tagId }])
  t.equal(await code(), '409 FLOWS_HOOK_TAG')
  await publish([{ kind: 'webhook', variables: ['pedido'], hours: 'outside' }])
  t.equal(await code(), '409 FLOWS_HOOK_HOURS', 'an organization without hours always attends')
  await publish([{ kind: 'manual' }], graphOf([{ id: 'm', type: 'message', text: 'Hola' }], [['s', 'next', 'm']]))
  t.equal(await code(), '409 FLOWS_HOOK_UNUSED')
  await publish([{ kind: 'webhook', variables: ['pedido'] }])
  const blocked = await call('POST', `/whatsapp/conversations/${flowPhone}/block`)
  t.ok(blocked.status < 300, JSON.stringify(blocked.body))
  await later(1000)
  t.equal(await code(), '409 FLOWS_CONTACT_BLOCKED')
  await call('DELETE', '/whatsapp/connection')
  t.equal(await code(), '409 INBOX_NOT_CONNECTED')
})

t.test('an address belongs to one flow: kept, replaced, created for a copy, deleted with the flow', async t => {
  const { call, path, at, address, post, hook, databases, flow } = await stage(t)
  const body = { numberTel: flowPhone, variables: { pedido: '1' } }
  const { revision } = (await call('GET', path)).body
  await call('PUT', path, { revision, triggers: [{ kind: 'manual' }] })
  const again = (await call('GET', path)).body.revision
  t.equal((await call('POST', `${path}/versions/1/restore`, { revision: again })).status, 200)
  t.equal(await address(), at, 'a trigger that is removed and restored keeps its address')
  const replaced = await call('POST', `${path}/hook`)
  t.equal(replaced.status, 200)
  t.not(await address(), at)
  t.match(await hook(), { changedBy: 'Ana', calledAt: null })
  const { items } = (await call('GET', '/organization/audit?kind=flows')).body
  t.match(items[0], { action: 'hookReplaced', subject: 'Bienvenida' })
  t.notMatch(JSON.stringify(items), (await address()).slice('/hooks/'.length))
  t.match(await post(body), { status: 404, body: { code: 'FLOWS_HOOK_NOT_FOUND' } })
  t.equal((await post(body, {}, await address())).status, 201)
  const copy = (await call('POST', '/whatsapp/flows', { name: 'Copia', graph: asks, triggers: onHook })).body
  const other = (await call('GET', `/whatsapp/flows/${copy.id}/hook`)).body.hook
  t.not(new URL(other.url).pathname, await address())
  t.match(await post(body, {}, new URL(other.url).pathname), { status: 409, body: { code: 'FLOWS_NOT_LIVE' } })
  const plain = (await call('POST', '/whatsapp/flows', { name: 'Sin', graph: asks, triggers: [] })).body
  t.same((await call('GET', `/whatsapp/flows/${plain.id}/hook`)).body, { hook: null })
  t.equal((await call('PUT', `/whatsapp/flows/${plain.id}`, { revision: 1, triggers: onHook })).status, 200)
  t.match((await call('GET', `/whatsapp/flows/${plain.id}/hook`)).body, { hook: { changedBy: 'Ana' } })
  t.notOk(JSON.stringify((await call('GET', path)).body).includes((await address()).slice('/hooks/'.length)))
  const gone = await address()
  t.equal((await call('DELETE', `${path}?endSessions=true`)).status, 200)
  t.equal((await post(body, {}, gone)).status, 404)
  t.same(await databases.read.selectFrom('flow_hook').select('flow_id').where('flow_id', '=', flow).execute(), [])
})

t.test('a secret is stored hashed and encrypted, and an address that cannot be decrypted can be replaced', async t => {
  const { at, databases, hook, call, path } = await stage(t)
  const secret = at.slice('/hooks/'.length)
  t.match(secret, /^[\w-]{43}$/)
  const [row] = await databases.read.selectFrom('flow_hook').selectAll().execute()
  t.notOk(JSON.stringify(row).includes(secret))
  await databases.write.updateTable('flow_hook').set({ sealed: 'v1.AAAA' }).execute()
  t.equal((await hook()).url, null)
  t.match((await call('POST', `${path}/hook`)).body.hook.url, /\/hooks\//)
})

t.test('the calls per minute of one address are limited', async t => {
  const { databases, post, later, backend } = await stage(t)
  const body = { numberTel: flowPhone, variables: { pedido: '1' } }
  const minute_ends_at = new Date(backend.clock.now().getTime() + 30_000).toISOString()
  await databases.write.updateTable('flow_hook').set({ calls: hookCallsPerMinute, minute_ends_at }).execute()
  const refused = await post(body)
  t.match(refused, { status: 429, body: { code: 'APP_TOO_MANY_REQUESTS' } })
  t.equal(refused.headers['retry-after'], '30')
  await later(31_000)
  t.equal((await post(body)).status, 201)
  const [row] = await databases.read.selectFrom('flow_hook').select('calls').execute()
  t.equal(Number(row?.calls), 1)
})

t.test('calls counted by a clock that ran ahead refuse nobody after its correction', async t => {
  const { databases, post, backend } = await stage(t)
  const minute_ends_at = new Date(backend.clock.now().getTime() + 86_400_000).toISOString()
  await databases.write.updateTable('flow_hook').set({ calls: hookCallsPerMinute, minute_ends_at }).execute()
  t.equal((await post({ numberTel: flowPhone, variables: { pedido: '1' } })).status, 201)
  const [row] = await databases.read.selectFrom('flow_hook').select(['calls', 'minute_ends_at']).execute()
  t.equal(Number(row?.calls), 1)
  t.ok(String(row?.minute_ends_at) < minute_ends_at)
})
