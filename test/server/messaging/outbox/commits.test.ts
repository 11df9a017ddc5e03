/** The cost of a reply in commits: each is an fsync that the sender, and everybody queued behind, waits for. */
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { countCommits } from '#test/helpers/commits.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { onHello } from '#test/helpers/flow-stage.ts'
import { fakeGraph } from '#test/helpers/graph.ts'
import { signatureOf, textWebhook } from '#test/helpers/webhooks.ts'

const appSecret = 'app-secret-of-the-fake'
const customer = '5491155551234'

const graph = await fakeGraph()
t.teardown(() => graph.close())
const databases = await freshDatabases()
const commits = countCommits(databases)
const backend = await startBackend(t, { databases, env: { GRAPH_URL: graph.url } })
const { cookie } = await aMember({ databases, orgName: 'Panadería' })
const ask = async (method: 'POST' | 'PUT', path: string, payload: object, headers: Record<string, string> = {}) => {
  const reply = await backend.inject({ method, url: `/api${path}`, headers: { cookie, ...headers }, payload })
  if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${reply.body}`)
  return reply.json()
}
const { webhookPath } = await ask('PUT', '/whatsapp/connection', {
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  accessToken: 'token',
  appSecret,
})
const write = async (message: Parameters<typeof textWebhook>[0] = {}) => {
  const timestamp = String(Math.floor(backend.clock.now().getTime() / 1000))
  const payload = textWebhook({ from: customer, timestamp, ...message })
  await backend.inject({
    method: 'POST',
    url: webhookPath,
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(payload, appSecret) },
    payload,
  })
  await backend.settle()
}
await write()

/** The number of commits when the request reached WhatsApp, and when the message's outcome was stored. */
const costOf = async (body: object, headers?: Record<string, string>) => {
  const before = commits()
  let atGraph = 0
  graph.on(/POST .*\/messages/, request => {
    atGraph = commits() - before
    const to = String((request.body as { to: string }).to)
    return { status: 200, body: { contacts: [{ input: to, wa_id: to }], messages: [{ id: `wamid.${before}` }] } }
  })
  const sent = await ask('POST', '/whatsapp/messages', { numberTel: customer, isHuman: true, ...body }, headers)
  await backend.parts.jobs.idle()
  const stored = await databases.read.selectFrom('message').select('wamid').where('id', '=', sent.id).executeTakeFirst()
  return { atGraph, settled: commits() - before, wamid: stored?.wamid }
}

t.test('a member’s reply takes one commit before the request to WhatsApp and one after', async t => {
  // The first message also queues its indexing; messages of the next seconds share that job.
  await costOf({ message: 'Buenos días' })
  t.match(await costOf({ message: 'Sí, recién hechas', clientKey: 'of-the-composer-1' }), {
    atGraph: 1,
    settled: 2,
    wamid: /^wamid/,
  })
})

t.test('a program’s idempotency key takes two more: the key and the stored response', async t => {
  t.match(await costOf({ message: 'Tu pedido está en camino' }, { 'idempotency-key': 'order-4711' }), {
    settled: 4,
    wamid: /^wamid/,
  })
})

t.test('a failed send is settled by the second commit, too', async t => {
  graph.on(/POST .*\/messages/, 'cut')
  const before = commits()
  const { id } = await ask('POST', '/whatsapp/messages', { numberTel: customer, message: 'x', isHuman: true })
  await backend.parts.jobs.idle()
  t.equal(commits() - before, 2)
  t.match(await databases.read.selectFrom('message').selectAll().where('id', '=', id).execute(), [{ unconfirmed: 1 }])
})

t.test('a flow’s message leaves after three commits: webhook, message and step', async t => {
  const nodes = [
    { id: 's', type: 'start' },
    { id: 'q', type: 'question', data: { text: '¿Y vos?', variable: 'dijo', ends: ['next', 'invalid'] } },
  ]
  const edges = [{ source: 's', target: 'q' }]
  const { id } = await ask('POST', '/whatsapp/flows', { name: 'Pregunta', triggers: onHello, graph: { nodes, edges } })
  await ask('POST', `/whatsapp/flows/${id}/publish`, {})
  await ask('POST', `/whatsapp/conversations/${customer}/control`, { owner: 'bot' })
  const before = commits()
  let atGraph = 0
  graph.on(/POST .*\/messages/, () => {
    atGraph = commits() - before
    return { status: 200, body: { messages: [{ id: 'wamid.of.the.flow' }] } }
  })
  await write({ wamid: 'wamid.hello', text: 'hola' })
  t.match([atGraph, commits() - before], [3, 4])
})
