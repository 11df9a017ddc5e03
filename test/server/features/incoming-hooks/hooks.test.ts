import t from 'tap'
import { incomingLimits } from '#shared/incoming-hooks/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { flowPhone } from '#test/helpers/flow-stage.ts'
import { incomingPath, incomingStage } from '#test/helpers/incoming-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const body = {
  customer: { phone: '011 15-5555-0404', name: 'Lucía Paz' },
  order: { id: 'A-17', paid: true },
  note: null,
}
const template = {
  ...({ kind: 'template', template: 'aviso_de_pedido', language: 'es_AR' } as const),
  values: { 'body.1': '{{customer.name}}', 'body.2': '{{order.id}}' },
}

t.test('a call sends an approved template with values of its JSON', async t => {
  const { makeHook, approve, post, messages, calls, call, backend } = await incomingStage(t)
  await approve('UTILITY')
  const { id, at } = await makeHook({ ...template, name: '{{customer.name}}' })
  t.match(at, /^\/hooks\/in\/[\w-]{43}$/)
  const reply = await post(at, body)
  t.match(reply, { status: 201, body: { did: 'template', number: flowPhone, runId: null } })
  t.match(await messages(), [
    {
      type: 'template',
      text: 'Hola Lucía Paz, tu pedido A-17 salió hoy.',
      author_kind: 'api',
      author_name: 'Pedido listo',
    },
  ])
  t.match((await call('GET', '/whatsapp/conversations')).body.items, [{ phone: flowPhone, name: 'Lucía Paz' }])
  t.match(await calls(id), [
    {
      id: reply.body.id,
      state: 'done',
      says: 'Template “aviso_de_pedido” to +54 9 11 5555 0404',
      body: JSON.stringify(body),
    },
  ])
  t.match((await call('GET', incomingPath)).body.items, [{ id, last: { state: 'done' }, day: { done: 1, refused: 0 } }])
  t.same(backend.errors(), [])
})

t.test('a call starts a flow, tags, notes, saves a contact or assigns', async t => {
  const all = await incomingStage(t)
  const { makeHook, post, call, tag, flow, said, messages, say, owner, databases, backend } = all
  const chat = `/whatsapp/conversations/${flowPhone}`
  const tagging = await makeHook({ kind: 'tag', tagId: tag }, 'Etiquetar')
  t.match(await post(tagging.at, body), { status: 201, body: { did: 'tag' } })
  t.match((await call('GET', chat)).body, { tags: [{ label: 'VIP' }] })
  t.same((await call('GET', '/whatsapp/conversations')).body.items, [], 'nothing was said to them yet')
  const { id: field } = (await call('POST', '/whatsapp/contact-fields', { label: 'Pedido', kind: 'text' })).body
  const saving = await makeHook(
    { kind: 'contact', name: '{{customer.name}}', fields: { [field]: '{{order.id}}' } },
    'Guardar',
  )
  t.match(await post(saving.at, body), { status: 201, body: { did: 'contact' } })
  t.match((await call('GET', `${chat}/contact`)).body, { name: 'Lucía Paz', fields: [{ value: 'A-17' }] })
  t.match(await post(saving.at, { customer: body.customer, order: {} }), { status: 201 }, 'what is not sent stays')
  t.match((await call('GET', `${chat}/contact`)).body, { fields: [{ value: 'A-17' }] })
  const noting = await makeHook({ kind: 'note', text: 'Pagó: {{order.paid}}. {{note}}' }, 'Anotar')
  const noted = await post(noting.at, body)
  t.match(noted, { status: 201, body: { did: 'note' } })
  t.match(await messages(), [{ type: 'note', text: 'Pagó: true.', author_kind: 'api', author_name: 'Anotar' }])
  await say('Hola')
  await call('POST', `${chat}/control`, { owner: 'bot' })
  const starting = await makeHook({ kind: 'flow', flowId: flow, variables: { pedido: '{{order.id}}' } }, 'Iniciar')
  const started = await post(starting.at, body)
  t.match(started, { status: 201, body: { did: 'flow' } })
  t.same(await said(), ['Tu pedido A-17 salió.'])
  t.equal((await call('GET', `/whatsapp/flow-runs/${started.body.runId}`)).status, 200)
  const mate = await aMember({ databases, org: owner.org, name: 'Beto', role: 'member' })
  const assigning = await makeHook({ kind: 'assign', memberId: mate.user.id }, 'Asignar')
  t.match(await post(assigning.at, body), { status: 201, body: { did: 'assign' } })
  t.match((await call('GET', chat)).body, { assignee: { name: 'Beto' } })
  t.same(backend.errors(), [])
})

t.test('the same idempotency key does nothing twice, even after the answer was lost', async t => {
  const { makeHook, post, messages, databases, owner, calls, say } = await incomingStage(t)
  await say('Hola')
  const { id, at } = await makeHook({ kind: 'note', text: 'Pedido {{order.id}}' })
  const key = { 'idempotency-key': 'pedido-17' }
  const first = await post(at, body, key)
  t.equal(first.status, 201)
  const second = await post(at, body, key)
  t.same(second.body, first.body)
  t.equal(second.headers['idempotency-replayed'], 'true')
  await databases.write.deleteFrom('idempotency').where('org_id', '=', owner.org.id).execute()
  t.same((await post(at, body, key)).body, first.body)
  t.match(await post(at, { ...body, order: { id: 'B' } }, key), { status: 409 })
  t.equal((await messages()).filter(({ type }) => type === 'note').length, 1)
  t.equal((await calls(id)).length, 1)
})

t.test('customers who refuse marketing or are blocked get nothing, and the log says why', async t => {
  const all = await incomingStage(t)
  const { makeHook, approve, post, say, messages, call, calls, later } = all
  await approve('MARKETING')
  const { id, at } = await makeHook(template)
  await say('baja')
  const before = (await messages()).length
  t.match(await post(at, body), { status: 409, body: { code: 'INBOX_OPTED_OUT' } })
  await say('alta')
  t.match(await post(at, body), { status: 201 })
  await call('POST', `/whatsapp/conversations/${flowPhone}/block`)
  await later(1000)
  t.match(await post(at, body), { status: 409, body: { code: 'INCOMING_HOOKS_CONTACT_BLOCKED' } })
  t.ok((await messages()).length > before)
  t.match(await calls(id), [{ says: 'This customer is blocked.' }, { state: 'done' }, { state: 'refused' }])
  t.equal((await calls(id, '?state=refused')).length, 2)
})

t.test('a person tries an action with a sample, and nothing stays', async t => {
  const { call, approve, messages, databases, backend } = await incomingStage(t)
  await approve('UTILITY')
  const action = { number: '{{customer.phone}}', ...template }
  const test = async (sample: unknown, change: object = {}) =>
    (await call('POST', `${incomingPath}/test`, { action: { ...action, ...change }, sample: JSON.stringify(sample) }))
      .body
  t.match(await test(body), {
    works: true,
    says: 'Template “aviso_de_pedido” to +54 9 11 5555 0404',
    values: [
      { field: 'number', value: '011 15-5555-0404' },
      { field: 'values.body.1', value: 'Lucía Paz' },
      { field: 'values.body.2', value: 'A-17' },
    ],
  })
  t.match(await test({ ...body, order: {} }), { works: false, details: [{ field: 'body.order.id' }] })
  t.match(await test(body, { values: { 'body.1': 'x' } }), { works: false, details: [{ field: 'values.body.2' }] })
  t.match(await test({ ...body, customer: { ...body.customer, phone: 'mañana' } }), {
    works: false,
    details: [{ field: 'body.customer.phone', message: "“mañana” couldn't be read as a phone number." }],
  })
  const noJson = await call('POST', `${incomingPath}/test`, { action, sample: 'hola' })
  t.match(noJson.body, { works: false, says: "The content isn't valid JSON, or it's incomplete." })
  t.same(await messages(), [])
  for (const table of ['contact', 'conversation', 'incoming_hook', 'incoming_call'] as const)
    t.same(await databases.read.selectFrom(table).selectAll().where('org_id', 'is not', null).execute(), [], table)
  t.same(backend.errors(), [])
})

t.test('a call is repeated by a person as the hook is now, once for each time they ask', async t => {
  const { call, makeHook, post, calls, messages, say } = await incomingStage(t)
  await say('Hola')
  const { id, at } = await makeHook({ kind: 'note', text: '{{pedido}}' })
  t.match(await post(at, body), { status: 400, body: { details: [{ field: 'body.pedido' }] } })
  const change = { action: { kind: 'note', number: '{{customer.phone}}', text: 'Pedido {{order.id}}' } }
  t.equal((await call('PATCH', `${incomingPath}/${id}`, change)).status, 200)
  const [failed] = await calls(id)
  t.match(failed, { state: 'refused', says: 'pedido: The content has no “pedido”.' })
  const again = await call('POST', `${incomingPath}/${id}/calls/${failed.id}/replay`)
  t.match(again, { status: 200, body: { state: 'done', replayOf: failed.id } })
  t.equal((await messages()).filter(({ text }) => text === 'Pedido A-17').length, 1)
  const long = { ...body, filler: 'x'.repeat(incomingLimits.keptBytes) }
  t.equal((await post(at, long)).status, 201)
  const [cut] = await calls(id)
  t.match(cut, { body: null, bytes: Buffer.byteLength(JSON.stringify(long)) })
  const refused = await call('POST', `${incomingPath}/${id}/calls/${cut.id}/replay`)
  t.match(refused, { status: 409, body: { code: 'INCOMING_HOOKS_NOT_KEPT' } })
  const { items } = (await call('GET', '/organization/audit')).body
  const actions = items.map(({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`)
  t.same(actions.slice(0, 3), [
    'incomingReplayed Pedido listo',
    'incomingChanged Pedido listo',
    'incomingCreated Pedido listo',
  ])
})

t.test('an address is switched off and on, replaced, and deleted with its log', async t => {
  const { call, makeHook, post, databases } = await incomingStage(t)
  const { id, at } = await makeHook({ kind: 'contact', name: '{{customer.name}}' })
  const [row] = await databases.read.selectFrom('incoming_hook').selectAll().execute()
  t.notOk(JSON.stringify(row).includes(at.split('/').at(-1) as string), 'only a hash of the secret is stored')
  await call('PATCH', `${incomingPath}/${id}`, { active: false })
  t.match(await post(at, body), { status: 409, body: { code: 'INCOMING_HOOKS_INACTIVE' } })
  await call('PATCH', `${incomingPath}/${id}`, { active: true })
  t.equal((await post(at, body)).status, 201)
  const { url } = (await call('POST', `${incomingPath}/${id}/address`)).body
  t.match(await post(at, body), { status: 404, body: { code: 'INCOMING_HOOKS_ADDRESS_NOT_FOUND' } })
  t.equal((await post(new URL(url).pathname, body)).status, 201)
  t.equal((await call('DELETE', `${incomingPath}/${id}`)).status, 200)
  t.equal((await post(new URL(url).pathname, body)).status, 404)
  t.same(await databases.read.selectFrom('incoming_call').select('id').execute(), [])
})

t.test('the calls of a minute, and the lines of the log, are limited', async t => {
  const { makeHook, post, databases, later, backend, owner } = await incomingStage(t)
  const { id, at } = await makeHook({ kind: 'contact', name: '{{customer.name}}' })
  t.equal((await post(at, body)).status, 201)
  const [call] = await databases.read.selectFrom('incoming_call').selectAll().execute()
  const copies = Array.from({ length: incomingLimits.callsKept }, (_, i) => ({ ...call, id: `0000-${i}` }) as never)
  await databases.write.insertInto('incoming_call').values(copies).execute()
  t.equal((await post(at, body)).status, 201)
  const kept = await databases.read.selectFrom('incoming_call').select('id').where('hook_id', '=', id).execute()
  t.equal(kept.length, incomingLimits.callsKept)
  const minute_ends_at = new Date(backend.clock.now().getTime() + 31_000).toISOString()
  const calls = incomingLimits.callsPerMinute
  await databases.write.updateTable('incoming_hook').set({ calls, minute_ends_at }).execute()
  const refused = await post(at, body)
  t.match(refused, { status: 429, headers: { 'retry-after': '30' } })
  await later(31_000)
  t.equal((await post(at, body)).status, 201)
  await later((incomingLimits.days + 1) * 86_400_000)
  t.same(await databases.read.selectFrom('incoming_call').select('id').where('org_id', '=', owner.org.id).execute(), [])
})

t.test('an action is refused with the fields that it lacks or does not have', async t => {
  const { call, makeHook } = await incomingStage(t)
  const fields = async (action: object) => {
    const { status, body: wire } = await call('POST', incomingPath, { name: 'x', action: { number: '1', ...action } })
    t.equal(status, 400)
    return wire.details.map(({ field }: { field: string }) => field)
  }
  t.same(await fields({ kind: 'template', language: 'es', text: 'x' }), ['body.action.template', 'body.action.text'])
  t.same(await fields({ kind: 'assign' }), ['body.action.memberId'])
  t.same(await fields({ kind: 'contact' }), ['body.action.name'])
  t.same(await fields({ kind: 'delete' }), ['body.action.kind'])
  await makeHook({ kind: 'contact', name: 'x' })
  const action = { kind: 'contact', number: '1', name: 'x' }
  t.match(await call('POST', incomingPath, { name: ' Pedido  listo ', action }), {
    status: 409,
    body: { code: 'INCOMING_HOOKS_NAME_TAKEN' },
  })
})
