/** Messages that arrive together are answered together: the cost of each, and that a failing one affects no other. */
import t, { type Test } from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { onHello } from '#test/helpers/flow-stage.ts'
import { fakeGraph } from '#test/helpers/graph.ts'
import { mostWorkPerTurn } from '#test/helpers/sqlite-work.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { envelope, metaJson, signatureOf } from '#test/helpers/webhooks.ts'

t.setTimeout(fileTimeoutMs)

const appSecret = 'app-secret-of-the-fake'
const phoneOf = (i: number) => `54911555501${String(i).padStart(2, '0')}`
const asks = (timeout: { timeoutMs?: number }) => ({
  name: 'Anota',
  triggers: onHello,
  graph: {
    nodes: [
      { id: 's', type: 'start' },
      {
        id: 'q',
        type: 'question',
        data: { text: 'Anotado: {{ultimo_mensaje}}', variable: 'dijo', ends: ['invalid'], ...timeout },
      },
      { id: 'g', type: 'goto', data: { nodeId: 'q' } },
    ],
    edges: [
      { source: 's', target: 'q' },
      { source: 'q', target: 'g' },
      ...(timeout.timeoutMs ? [{ source: 'q', sourceHandle: 'timeout', target: 'g' }] : []),
    ],
  },
})

/** A number on a fake Graph API with one live flow; `write`: messages of this many customers in one webhook. */
const stage = async (t: Test, timeout: { timeoutMs?: number } = {}) => {
  const graph = await fakeGraph()
  t.teardown(() => graph.close())
  let sent = 0
  graph.on(/POST .*\/messages/, request => {
    const { to } = request.body as { to: string }
    sent += 1
    return { status: 200, body: { contacts: [{ input: to, wa_id: to }], messages: [{ id: `wamid.out.${sent}` }] } }
  })
  const backend = await startBackend(t, { env: { GRAPH_URL: graph.url } })
  const { cookie, org } = await aMember({ databases: backend.databases, name: 'Ana' })
  const ask = async (method: 'POST' | 'PUT', path: string, payload: object) => {
    const reply = await backend.inject({ method, url: `/api${path}`, headers: { cookie }, payload })
    if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.body}`)
    return reply.json()
  }
  const numbers = { phoneNumberId: '106540352242922', wabaId: '102290129340398' }
  const { webhookPath } = await ask('PUT', '/whatsapp/connection', { ...numbers, accessToken: 'token', appSecret })
  const flow = await ask('POST', '/whatsapp/flows', asks(timeout))
  await ask('POST', `/whatsapp/flows/${flow.id}/publish`, {})
  let written = 0
  const write = async (text: string, people: number) => {
    backend.clock.advance(1000)
    const timestamp = String(Math.floor(backend.clock.now().getTime() / 1000))
    const messages = Array.from({ length: people }, (_, i) => {
      written += 1
      return { from: phoneOf(i), id: `wamid.in.${written}`, timestamp, type: 'text', text: { body: text } }
    })
    const metadata = { display_phone_number: '15550783881', phone_number_id: numbers.phoneNumberId }
    const contacts = messages.map(({ from }) => ({ profile: { name: `Cliente ${from}` }, wa_id: from }))
    const payload = metaJson(envelope({ messaging_product: 'whatsapp', metadata, contacts, messages }))
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(payload, appSecret) }
    t.equal((await backend.inject({ method: 'POST', url: webhookPath, headers, payload })).statusCode, 200)
    await backend.settle()
  }
  const sessions = () =>
    backend.databases.read
      .selectFrom('flow_session')
      .innerJoin('contact', 'contact.id', 'flow_session.contact_id')
      .select(['flow_session.id', 'flow_session.state', 'flow_session.steps', 'contact.wa_id'])
      .where('flow_session.org_id', '=', org.id)
      .orderBy('contact.wa_id')
      .execute()
  const said = async (text: string) =>
    (
      await backend.databases.read
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
        .innerJoin('contact', 'contact.id', 'conversation.contact_id')
        .select('contact.wa_id')
        .where('message.author_kind', '=', 'bot')
        .where('message.text', '=', text)
        .where('message.wamid', 'is not', null)
        .orderBy('contact.wa_id')
        .execute()
    ).map(row => row.wa_id)
  return { backend, org, write, sessions, said }
}

const people = 12
const all = Array.from({ length: people }, (_, i) => phoneOf(i))

t.test('customers who write at the same time are answered together, each once and by their own message', async t => {
  const { backend, write, sessions, said } = await stage(t)
  await write('hola', people)
  await write('dos', people)
  t.same(await said('Anotado: hola'), all)
  t.same(await said('Anotado: dos'), all)
  t.same(
    (await sessions()).map(({ state, steps }) => `${state} ${steps}`),
    all.map(() => 'waitingAnswer 5'),
  )
  const { started } = await backend.databases.read.selectFrom('flow_day').select('started').executeTakeFirstOrThrow()
  t.equal(started, people, 'counted once each')
  t.same(backend.errors(), [])
})

t.test('a customer whose session throws gets a person; the others of the commit are answered', async t => {
  const { backend, org, write, sessions, said } = await stage(t)
  await write('hola', people)
  const unlucky = (await sessions())[5]
  if (!unlucky) throw new Error('Nobody is in the flow')
  // A row already exists where its next step would be inserted.
  await backend.databases.write
    .insertInto('flow_step')
    .values({
      ...{ session_id: unlucky.id, place: unlucky.steps + 1, org_id: org.id, node_id: 'x', at: '' },
      ...{ input: null, output: null, why: null, changes: null, message_id: null, call: null },
    })
    .execute()
  await write('dos', people)
  const others = all.filter(phone => phone !== unlucky.wa_id)
  t.same(await said('Anotado: dos'), others)
  t.same(
    (await sessions()).map(({ state }) => state),
    all.map(phone => (phone === unlucky.wa_id ? 'handedOff' : 'waitingAnswer')),
  )
  const held = backend.databases.read.selectFrom('conversation').select('control').where('control', '=', 'needsHuman')
  t.equal((await held.execute()).length, 1)
  t.equal(backend.errors().length, 1)
})

t.test('waits that end at the same time continue together', async t => {
  const { backend, write, sessions, said } = await stage(t, { timeoutMs: 5 * 60_000 })
  await write('hola', people)
  backend.clock.advance(5 * 60_000)
  await backend.settle()
  t.same(
    await said('Anotado: hola'),
    all.flatMap(phone => [phone, phone]),
    'asked once more each, with what they wrote last',
  )
  t.same(
    (await sessions()).map(({ state, steps }) => `${state} ${steps}`),
    all.map(() => 'waitingAnswer 5'),
  )
  t.same(backend.errors(), [])
})

testOnSqlite('sixteen sessions are hardly more statements than one', async t => {
  const { backend, write } = await stage(t)
  await write('hola', 16)
  await write('dos', 16)
  const db = backend.databases.raw.write
  const { statements } = await mostWorkPerTurn(db, () => write('tres', 16))
  // A single session takes about twenty; sometimes other work of the product falls into the same event loop turn.
  t.ok(statements <= 120, `${statements} statements for sixteen sessions`)
})
