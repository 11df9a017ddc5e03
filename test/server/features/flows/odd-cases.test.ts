import t from 'tap'
import { journalState } from '#server/messaging/intake/table.ts'
import { type Drawn, flowPhone, flowStage, graphOf, onHello } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const asks = graphOf(
  [
    { id: 'q', type: 'question', text: '¿Qué?', expects: 'text', variable: 'x', attempts: 3, timeoutMs: 0 },
    { id: 'm', type: 'message', text: 'Anotado: {{flujo.x}}' },
  ],
  [
    ['s', 'next', 'q'],
    ['q', 'next', 'm'],
  ],
)
const minutes = (count: number) => count * 60_000

t.test('a message from a backlog is stored and shown, and starts no flow', async t => {
  const { backend, call, said, sessions, control } = await flowStage(t, asks)
  const at = (ago: number) => new Date(backend.clock.now().getTime() - ago).toISOString()
  const say = async (text: string, ago: number) => {
    await call('POST', '/sandbox/inbound', { from: flowPhone, text, name: 'Lucía', at: at(ago) })
    await backend.settle()
  }
  await say('hola', minutes(4))
  t.same(await sessions(), [])
  t.equal(await control(), 'needsHuman', 'a person sees it')
  await call('POST', `/whatsapp/conversations/${flowPhone}/control`, { owner: 'bot' })
  await say('hola', minutes(2))
  t.same(await said(), ['¿Qué?'], 'some minutes on the way are not too many')
  await say('vieja respuesta', minutes(10))
  t.same(await said(), ['¿Qué?'], 'an old word is no answer')
  t.same(await sessions(), ['handedOff: late'], 'it says why a person goes on')
  t.equal(await control(), 'needsHuman')
  t.same(backend.errors(), [])
})

t.test('a message sent in time is an answer, however late it is processed', async t => {
  const { databases, say, said, sessions, later, backend } = await flowStage(t, asks)
  await say('hola')
  const journal = await databases.read.selectFrom('webhook_journal').selectAll().execute()
  const [first] = journal.filter(({ raw }) => Buffer.from(raw).includes('hola'))
  const raw = Buffer.from(
    Buffer.from(first?.raw ?? [])
      .toString()
      .replace(/wamid\.[^"]+/, 'wamid.waited')
      .replace('hola', 'pan'),
  )
  const { connection_id = null, received_at = '' } = first ?? {}
  await databases.write
    .insertInto('webhook_journal')
    .values({ connection_id, received_at, raw, state: journalState.waiting, note: null })
    .execute()
  await later(minutes(10))
  t.same(await said(), ['¿Qué?', 'Anotado: pan'])
  t.same(await sessions(), ['finished'])
  t.same(backend.errors(), [])
})

t.test('a phone call is no answer: it ends the session with that reason, however late it is received', async t => {
  for (const ago of [0, 10]) {
    const { databases, backend, say, said, sessions, control, later } = await flowStage(t, asks)
    await say('hola')
    t.same(await sessions(), ['waitingAnswer'])
    const journal = await databases.read.selectFrom('webhook_journal').selectAll().execute()
    const [first] = journal.filter(({ raw }) => Buffer.from(raw).includes('hola'))
    const webhook = JSON.parse(Buffer.from(first?.raw ?? []).toString())
    const [change] = webhook.entry[0].changes
    const { messages, ...value } = change.value
    const at = String(Math.trunc(backend.clock.now().getTime() / 1000) - ago * 60)
    const rang = { id: 'wacid.rang', from: messages[0].from, event: 'terminate', direction: 'USER_INITIATED' }
    change.field = 'calls'
    change.value = { ...value, calls: [{ ...rang, status: 'FAILED', timestamp: at }] }
    const { connection_id = null, received_at = '' } = first ?? {}
    const row = { connection_id, received_at, state: journalState.waiting, note: null }
    await databases.write
      .insertInto('webhook_journal')
      .values({ ...row, raw: Buffer.from(JSON.stringify(webhook)) })
      .execute()
    await later(minutes(1))
    t.same(await said(), ['¿Qué?'])
    t.same(await sessions(), ['handedOff: call'], 'it says why a person goes on')
    t.equal(await control(), 'needsHuman', 'who rang hears from a person')
    t.same(backend.errors(), [])
  }
})

t.test('two messages of the same millisecond are processed one after the other', async t => {
  const { backend, call, said, sessions } = await flowStage(t, asks)
  const at = backend.clock.now().toISOString()
  await call('POST', '/sandbox/inbound', { from: flowPhone, text: 'hola', name: 'Lucía', at })
  await call('POST', '/sandbox/inbound', { from: flowPhone, text: 'pan', at })
  await backend.settle()
  t.same(await said(), ['¿Qué?', 'Anotado: pan'])
  t.same(await sessions(), ['finished'])
})

t.test('a clock set back or forward loses no session and repeats no message', async t => {
  const waits = graphOf(
    [
      { id: 'w', type: 'wait', ms: 3_600_000 },
      { id: 'm', type: 'message', text: 'Pasó una hora' },
    ],
    [
      ['s', 'next', 'w'],
      ['w', 'next', 'm'],
    ],
  )
  const { backend, say, said, later, sessions } = await flowStage(t, waits)
  await say('hola')
  await later(-minutes(30))
  t.same(await said(), [])
  await later(minutes(31))
  t.same(await said(), [], 'it waits for the time it named')
  await later(minutes(60))
  t.same(await said(), ['Pasó una hora'])
  await later(-minutes(120))
  await later(minutes(240))
  t.same(await said(), ['Pasó una hora'])
  t.same(await sessions(), ['finished'])
  t.same(backend.errors(), [])
})

t.test('a customer blocked during a flow gets no answer, and the session ends', async t => {
  const { call, say, said, sessions, backend } = await flowStage(t, asks)
  await say('hola')
  const blocked = await call('POST', `/whatsapp/conversations/${flowPhone}/block`)
  t.ok(blocked.status < 300, JSON.stringify(blocked.body))
  await say('pan')
  t.same(await said(), ['¿Qué?'])
  await backend.settle()
  backend.clock.advance(5 * 60 * minutes(1))
  await backend.settle()
  t.same(await said(), ['¿Qué?'])
  t.equal((await sessions()).filter(state => state.startsWith('waiting')).length, 0)
})

t.test('if the team was deleted the conversation waits for anybody, with the note', async t => {
  const backend = await flowStage(t, asks)
  const organizationId = backend.owner.org.id
  const { body: team } = await backend.call('POST', '/auth/organization/create-team', {
    name: 'Ventas',
    organizationId,
  })
  t.ok(team.id, JSON.stringify(team))
  const hands = graphOf(
    [{ id: 'h', type: 'handoff', message: 'Ya te atienden.', note: 'Quiere comprar', teamId: team.id }],
    [['s', 'next', 'h']],
  )
  await backend.call('PUT', `/whatsapp/flows/${backend.flow}`, { revision: 1, graph: hands })
  t.equal((await backend.call('POST', `/whatsapp/flows/${backend.flow}/publish`, {})).status, 200)
  t.equal(
    (await backend.call('POST', '/auth/organization/remove-team', { teamId: team.id, organizationId })).status,
    200,
  )
  await backend.say('hola')
  t.same(await backend.sessions(), ['handedOff: asked'])
  t.equal(await backend.control(), 'needsHuman')
  t.same(await backend.said(), ['Ya te atienden.'])
  t.same(backend.backend.errors(), [])
})

t.test('a step removed from the drawing while a session is at it continues as published', async t => {
  const { call, flow, say, said, sessions } = await flowStage(t, asks)
  await say('hola')
  const other = graphOf([{ id: 'o', type: 'message', text: 'Otra cosa' }], [['s', 'next', 'o']])
  await call('PUT', `/whatsapp/flows/${flow}`, { revision: 1, graph: other })
  t.equal((await call('POST', `/whatsapp/flows/${flow}/publish`, {})).status, 200)
  await say('pan')
  t.same(await said(), ['¿Qué?', 'Anotado: pan'])
  await say('hola')
  t.equal((await said()).at(-1), 'Otra cosa')
  t.same(await sessions(), ['finished', 'finished'])
})

t.test('a customer’s text is never interpreted: braces, markup, 65,000 characters, empty', async t => {
  const long = 'x'.repeat(65_000)
  const { backend, call, say, said, flow } = await flowStage(t, asks)
  for (const text of ['{{contacto.telefono}}', '<b onclick="x()">hola</b>', '}}{{', '$& $1 \\0']) {
    await say('hola')
    await say(text)
    t.equal((await said()).at(-1), `Anotado: ${text}`)
  }
  await say('hola')
  const raw = { text: { body: long } }
  await call('POST', '/sandbox/inbound', { from: flowPhone, text: 'x', raw })
  await backend.settle()
  const last = (await said()).at(-1) as string
  t.ok(last.startsWith('Anotado: xxx') && last.length <= 4096, `what is kept and said is bounded: ${last.length}`)
  const missing = graphOf(
    [
      { id: 'm', type: 'message', text: 'Hola {{flujo.x|nadie}}{{flujo.x}}' } as Drawn,
      { id: 'v', type: 'set', variable: 'x', value: '' },
    ],
    [
      ['s', 'next', 'm'],
      ['m', 'next', 'v'],
    ],
  )
  const { revision } = (await call('GET', `/whatsapp/flows/${flow}`)).body
  await call('PUT', `/whatsapp/flows/${flow}`, { revision, graph: missing })
  t.equal((await call('POST', `/whatsapp/flows/${flow}/publish`, {})).status, 200)
  await say('hola')
  t.equal((await said()).at(-1), 'Hola nadie')
  t.same(backend.errors(), [])
})

t.test('a flow that is too large or invalid is refused and stores nothing', async t => {
  const { call } = await flowStage(t, asks)
  const before = (await call('GET', '/whatsapp/flows')).body.items.length
  const nodes = (count: number, text = 'Hola') =>
    Array.from({ length: count }, (_, i) => ({ id: `n${i}`, type: i ? 'message' : 'start', data: i ? { text } : {} }))
  const attempt = (graph: object, name = 'Importado') =>
    call('POST', '/whatsapp/flows', { name, graph, triggers: onHello })
  t.equal((await attempt({ nodes: nodes(5000), edges: [] })).status, 413, '5,000 steps')
  t.equal((await attempt({ nodes: nodes(501), edges: [] })).status, 400, 'one step too many')
  t.equal((await attempt({ nodes: nodes(400, 'x'.repeat(4000)), edges: [] })).status, 413, 'more than a megabyte')
  for (const graph of [
    {
      nodes: [
        { id: '__proto__', type: 'start' },
        { id: 'x y', type: 'message' },
      ],
      edges: [],
    },
    { nodes: [{ id: 's', type: 'constructor' }], edges: [] },
    { nodes: [{ id: 's', type: 'start', data: { __proto__: null, evil: 1 } }], edges: [] },
    { nodes: 'nodes', edges: [] },
    { nodes: [{ id: 's', type: 'start' }], edges: [{ source: 's', target: { $gt: '' } }] },
  ])
    t.equal((await attempt(graph)).status, 400, JSON.stringify(graph).slice(0, 60))
  t.equal((await call('GET', '/whatsapp/flows')).body.items.length, before)
})
