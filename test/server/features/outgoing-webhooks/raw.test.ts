import { createHmac } from 'node:crypto'
import t from 'tap'
import {
  filterWebhook,
  onlyOurs,
  readRawWebhook,
  webhookLine,
  webhookText,
} from '#server/features/outgoing-webhooks/raw-webhook.ts'
import type { WebhookFilter } from '#shared/outgoing-webhooks/api.ts'
import { flowPhone } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { type Heard, webhookPath, webhookStage, webhookUrl } from '#test/helpers/webhook-stage.ts'

t.setTimeout(fileTimeoutMs)

const challengeOf = ({ url }: Heard) => new URL(url).searchParams.get('hub.challenge') ?? ''
/** Answers the handshake as a program that expects this token. */
const answering =
  (token: string, other: () => Response = () => new Response('ok')) =>
  (one: Heard): Response => {
    if (one.method !== 'GET') return other()
    const query = new URL(one.url).searchParams
    return query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === token
      ? new Response(challengeOf(one))
      : new Response('no', { status: 403 })
  }

t.test('one number serves several programs with the webhooks of Meta, unchanged and signed for each', async t => {
  const { backend, call, say, heard, program, databases } = await webhookStage(t)
  program.answer = answering('hola-token')
  const add = async (name: string, more: object = {}) => {
    const body = { name, url: webhookUrl, format: 'meta', verifyToken: 'hola-token', ...more }
    const reply = await call('POST', webhookPath, body)
    t.match(reply, { status: 201, body: { verifyToken: 'hola-token', webhook: { format: 'meta', events: [] } } })
    t.match(reply.body.secret, /^[0-9a-f]{32}$/)
    await backend.settle()
    return reply.body.secret as string
  }
  const secrets = new Map<string, string>()
  for (const name of ['n8n', 'bot']) secrets.set(name, await add(name, { headers: { 'x-program': name } }))
  secrets.set('texts', await add('texts', { filter: { messageTypes: ['image'] }, headers: { 'x-program': 'texts' } }))
  t.same(
    heard.splice(0).map(({ method }) => method),
    ['GET', 'GET', 'GET'],
  )
  await say('Buenas')
  const posted = heard.splice(0)
  t.equal(posted.length, 2, 'the filter of the third leaves nothing')
  const { raw } = await databases.read
    .selectFrom('webhook_journal')
    .select('raw')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  for (const { body, headers } of posted) {
    t.equal(body, raw.toString(), 'the bytes of Meta')
    const secret = secrets.get(headers['x-program'] ?? '') ?? ''
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    t.equal(headers['x-hub-signature-256'], signature)
  }
  const { items } = (await call('GET', `${webhookPath}/n8n/deliveries`)).body
  t.match(items, [
    { type: 'meta.webhook', state: 'delivered' },
    { type: 'meta.handshake', state: 'delivered' },
  ])
  t.notMatch(JSON.stringify(items), 'hola-token')
  t.notMatch(JSON.stringify(await databases.read.selectFrom('outgoing_webhook').selectAll().execute()), 'hola-token')
  t.same(backend.errors(), [])
})

t.test('a program that fails the handshake gets nothing until it passes', async t => {
  const { backend, call, say, heard, program } = await webhookStage(t)
  program.answer = answering('expected')
  const made = await call('POST', webhookPath, { name: 'bot', url: webhookUrl, format: 'meta' })
  t.match(made.body.verifyToken, /^[0-9a-f]{32}$/)
  await backend.settle()
  const list = async () => (await call('GET', webhookPath)).body.items
  t.match(await list(), [{ active: false, stoppedFor: 'handshake', last: { state: 'failed' } }])
  heard.length = 0
  await say('Buenas')
  t.equal(heard.length, 0)
  const change = async (body: object) => {
    const reply = await call('PATCH', `${webhookPath}/bot`, body)
    t.equal(reply.status, 200, JSON.stringify(reply.body))
    await backend.settle()
  }
  program.answer = () => new Response('<h1>Welcome</h1>')
  await change({ active: true })
  t.match((await call('GET', `${webhookPath}/bot/deliveries`)).body.items[0], { failure: 'handshake', status: 200 })
  program.answer = answering('expected')
  await change({ active: true, verifyToken: 'expected' })
  t.match(await list(), [{ active: true, stoppedFor: null }])
  heard.length = 0
  await say('¿Hay alguien?')
  t.match(heard, [{ method: 'POST' }])
})

t.test('options of one format are refused in the other, by name', async t => {
  const { call } = await webhookStage(t)
  for (const [body, field] of [
    [{ format: 'meta', events: ['message.received'] }, 'body.events'],
    [{ format: 'meta', filter: { tags: ['1'] } }, 'body.filter.tags'],
    [{ filter: { fields: ['messages'] } }, 'body.filter.fields'],
    [{ filter: { messageTypes: ['text'] } }, 'body.filter.messageTypes'],
    [{ verifyToken: 'a' }, 'body.verifyToken'],
    [{ format: 'meta', verifyToken: 'a b' }, 'body.verifyToken'],
    [{ format: 'other' }, 'body.format'],
  ] as const) {
    const reply = await call('POST', webhookPath, { name: 'bot', url: webhookUrl, ...body })
    t.equal(reply.status, 400, JSON.stringify(body))
    t.equal(reply.body.details[0].field, field, JSON.stringify(body))
  }
})

const message = (from: string, type: string) => ({ from, id: `wamid.${from}.${type}`, type, [type]: {} })
const status = (recipient_id: string, status: string) => ({ recipient_id, id: 'wamid.1', status })
const valueWith = (phoneNumberId: string, value: object) => ({
  messaging_product: 'whatsapp',
  metadata: { phone_number_id: phoneNumberId, display_phone_number: phoneNumberId },
  ...value,
})
const webhookOf = (...changes: { id: string; field: string; value: object }[]) => ({
  object: 'whatsapp_business_account',
  entry: changes.map(({ id, field, value }) => ({ id, changes: [{ field, value }] })),
})
const read = (webhook: object) => {
  const found = readRawWebhook(JSON.stringify(webhook))
  if (!found) throw new Error('it has changes')
  return found
}

t.test('a webhook of several organizations is split, and the parts of others are not seen', async t => {
  const ours = { id: 'w1', field: 'messages', value: valueWith('n1', { messages: [message(flowPhone, 'text')] }) }
  const theirs = {
    id: 'w2',
    field: 'messages',
    value: valueWith('n2', { messages: [message('5491100000000', 'text')] }),
  }
  const raw = JSON.stringify(webhookOf(ours, theirs))
  const left = onlyOurs(read(webhookOf(ours, theirs)), ({ phoneNumberId }) => phoneNumberId === 'n1')
  t.same(left && JSON.parse(webhookText(left, raw)), webhookOf(ours))
  t.equal(
    onlyOurs(read(webhookOf(theirs)), () => false),
    undefined,
  )
  const whole = onlyOurs(read(webhookOf(ours)), () => true)
  t.equal(whole && webhookText(whole, 'the bytes'), 'the bytes')
})

t.test('filters leave what passes of each change, and nothing of a change that is left empty', async t => {
  const value = valueWith('n1', {
    contacts: [{ wa_id: flowPhone }],
    messages: [message(flowPhone, 'text'), message(flowPhone, 'image')],
    statuses: [status(flowPhone, 'sent'), status(flowPhone, 'delivered')],
  })
  const webhook = webhookOf(
    { id: 'w1', field: 'messages', value },
    { id: 'w1', field: 'message_template_status_update', value: { event: 'APPROVED' } },
  )
  const left = (filter: WebhookFilter) => {
    const found = filterWebhook(read(webhook), filter, id => (id === 'n1' ? '5491150001000' : undefined))
    if (!found) return undefined
    const { entry } = JSON.parse(webhookText(found, JSON.stringify(webhook)))
    return entry.flatMap(({ changes }: { changes: { field: string; value: Record<string, unknown[]> }[] }) =>
      changes.map(({ field, value }) => [field, value.messages?.length ?? 0, value.statuses?.length ?? 0]),
    )
  }
  const template = ['message_template_status_update', 0, 0]
  t.same(left({}), [['messages', 2, 2], template])
  t.same(left({ fields: ['messages'] }), [['messages', 2, 2]])
  t.same(left({ fields: ['calls'] }), undefined)
  t.same(left({ messageTypes: ['image'], direction: 'in' }), [['messages', 1, 0], template])
  t.same(left({ direction: 'out', finalStatusOnly: true, fields: ['messages'] }), [['messages', 0, 1]])
  t.same(left({ direction: 'in', messageTypes: ['audio'] }), [template])
  t.same(left({ numbers: ['5491150001000'] }), [['messages', 2, 2], template])
  t.same(left({ numbers: ['5491100000000'] }), [template])
})

t.test('deliveries about one customer have a line of their own', async t => {
  const of = (...froms: string[]) =>
    webhookLine(
      read(
        webhookOf({
          ...{ id: 'w1', field: 'messages' },
          value: valueWith('n1', { messages: froms.map(from => message(from, 'text')) }),
        }),
      ),
    )
  t.equal(of('1'), 'raw n1 1')
  t.equal(of('1', '1'), 'raw n1 1')
  t.equal(of('1', '2'), 'raw n1')
  t.equal(webhookLine(read(webhookOf({ id: 'w1', field: 'account_update', value: {} }))), null)
})

t.test('a request that is no webhook of Meta is not passed on', async t => {
  for (const raw of ['', 'no', '[]', '{}', '{"entry":1}', '{"entry":[1,null,{"changes":[3,{"field":1}]}]}'])
    t.equal(readRawWebhook(raw), undefined, raw)
})
