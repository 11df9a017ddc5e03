import t from 'tap'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { webhookKind } from '#server/features/outgoing-webhooks/kinds/all.ts'
import { describedEvents } from '#server/features/outgoing-webhooks/kinds/described.ts'
import { toOpenApiSchema } from '#server/platform/http/plugins/openapi-document.ts'
import { type ChosenType, tapDelivery, type WebhookType, webhookTypes } from '#shared/outgoing-webhooks/api.ts'
import { flowPhone } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { webhookPath, webhookStage } from '#test/helpers/webhook-stage.ts'

t.setTimeout(fileTimeoutMs)

const chosen = webhookTypes.filter((type): type is ChosenType => type !== tapDelivery)
const faultsOf = (type: ChosenType, data: unknown) =>
  Value.Errors(toOpenApiSchema(webhookKind(type).data) as TSchema, data).map(
    ({ instancePath, message }) => `${type} ${instancePath} ${message}`,
  )

t.test('the sample of every event fits its contract', async t => {
  t.same(
    describedEvents().map(({ type }) => type),
    webhookTypes,
  )
  for (const { type, sample } of describedEvents()) {
    const { data, ...head } = JSON.parse(sample)
    t.same(Object.keys(head), ['type', 'timestamp'])
    if (type !== tapDelivery) t.same(faultsOf(type, data), [])
  }
})

t.test('a webhook is told of what happens in conversations, in order, and each event fits its contract', async t => {
  const { call, say, later, delivered, listen, owner, databases } = await webhookStage(t)
  await listen(chosen)
  await say('hola')
  await later(10_000)
  await later(10_000)
  const first = await delivered()
  const types = first.map(({ type }) => type)
  for (const type of ['contact.created', 'conversation.opened', 'message.received', 'flow.started'] as const)
    t.ok(types.includes(type), `${type} of ${types}`)
  t.ok(types.indexOf('conversation.opened') < types.indexOf('message.received'), `${types}`)
  t.ok(types.indexOf('message.received') < types.indexOf('message.sent'), `${types}`)
  t.ok(types.includes('flow.ended'), `${types}`)
  const statuses = first.flatMap(({ type, data }) => (type === 'message.status' ? [data.status] : []))
  t.same(statuses.slice(0, 2), ['sent', 'delivered'])
  const received = first.find(({ type }) => type === 'message.received')
  const { phone } = await databases.read.selectFrom('wa_connection').select('phone').executeTakeFirstOrThrow()
  t.match(received?.data, {
    organization: owner.org.id,
    number: phone,
    customer: { phone: flowPhone, name: 'Lucía' },
    message: { text: 'hola', direction: 'in' },
    conversation: { phone: flowPhone },
  })
  const chat = `/whatsapp/chats/${flowPhone}`
  const { body: tag } = await call('POST', '/whatsapp/tags', { label: 'Pedidos' })
  await call('PUT', `${chat}/tags/${tag.id}`)
  await call('DELETE', `${chat}/tags/${tag.id}`)
  const conversation = `/whatsapp/conversations/${flowPhone}`
  await call('PATCH', `${conversation}/contact`, { name: 'Lucía F.', note: 'Prefiere la tarde' })
  await call('PUT', `${conversation}/assignee`, { userId: owner.user.id })
  await call('POST', '/whatsapp/chat/archive', { phoneNumber: flowPhone })
  const second = await delivered()
  const of = (type: WebhookType) => second.filter(one => one.type === type).map(({ data }) => data)
  t.match(of('contact.tagged'), [{ tagId: tag.id, label: 'Pedidos' }])
  t.match(of('contact.untagged'), [{ tagId: tag.id }])
  t.match(of('contact.changed'), [{ changed: ['name', 'note'], customer: { name: 'Lucía F.' } }])
  t.match(of('conversation.assigned'), [{ from: { userId: null }, to: { userId: owner.user.id } }])
  t.match(of('conversation.archived'), [{ by: { kind: 'person', name: 'Ana' } }])
  for (const { type, data } of [...first, ...second]) t.same(faultsOf(type as ChosenType, data), [])
  await say('¿Siguen ahí?')
  t.ok((await delivered()).some(({ type }) => type === 'conversation.unarchived'))
})

t.test('a webhook gets only the events it chose, through its filter', async t => {
  const { call, say, later, delivered, listen, databases } = await webhookStage(t)
  const { phone } = await databases.read.selectFrom('wa_connection').select('phone').executeTakeFirstOrThrow()
  await listen(['message.received', 'message.sent', 'message.status'], {
    filter: { direction: 'out', finalStatusOnly: true, numbers: [phone] },
  })
  await say('hola')
  const types = async () => {
    await later(10_000)
    await later(10_000)
    return (await delivered()).map(({ type, data }) => (type === 'message.status' ? data.status : type))
  }
  t.same(await types(), ['message.sent', 'delivered'])
  const change = (body: object) => call('PATCH', `${webhookPath}/orders`, body)
  t.match((await change({ filter: { numbers: ['5491100000000'] } })).body, { filter: { numbers: ['5491100000000'] } })
  await say('hola')
  t.same(await types(), [], 'another number')
  t.match(await change({ filter: null, events: ['message.received'] }), { status: 200, body: { filter: null } })
  const { body: tag } = await call('POST', '/whatsapp/tags', { label: 'VIP' })
  await change({ filter: { tags: [tag.id] } })
  await say('hola')
  t.same(await types(), [], 'without the tag')
  await call('PUT', `/whatsapp/chats/${flowPhone}/tags/${tag.id}`)
  await say('hola')
  t.same(await types(), ['message.received'])
  await change({ active: false })
  await say('hola')
  t.same(await types(), [], 'it is inactive')
  t.equal((await databases.read.selectFrom('webhook_event').select('id').execute()).length, 3)
})

t.test('one event is stored once for all webhooks that get it', async t => {
  const { say, delivered, listen, databases } = await webhookStage(t)
  for (const name of ['orders', 'crm', 'bot']) await listen(['message.received'], { name })
  await listen(['member.left'], { name: 'people' })
  await say('Buenas')
  t.equal((await delivered()).length, 3)
  t.equal((await databases.read.selectFrom('webhook_event').select('id').execute()).length, 1)
  t.equal((await databases.read.selectFrom('webhook_delivery').select('id').execute()).length, 3)
})

t.test('a webhook that chose other events takes no taps', async t => {
  const { call, listen } = await webhookStage(t)
  await listen(['message.received'])
  t.same((await call('GET', `${webhookPath}/names`)).body, { items: [] })
  await call('PATCH', `${webhookPath}/orders`, { events: ['message.received', 'action.tapped'] })
  t.same((await call('GET', `${webhookPath}/names`)).body, { items: ['orders'] })
})

t.test('the API document has every event with its schema and a sample', async t => {
  const { backend } = await webhookStage(t)
  const { webhooks, components } = (await backend.inject({ method: 'GET', url: '/api/openapi.json' })).json()
  t.same(Object.keys(webhooks), webhookTypes)
  for (const type of webhookTypes) {
    const { requestBody, parameters } = webhooks[type].post
    const { schema, example } = requestBody.content['application/json']
    t.equal(schema.properties.type.const, type)
    t.equal(example.type, type)
    t.same(
      parameters.map(({ name }: { name: string }) => name),
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    )
  }
  const { $ref } =
    webhooks['message.received'].post.requestBody.content['application/json'].schema.properties.data.properties.message
  t.ok(components.schemas[$ref.split('/').at(-1)])
})
