import t, { type Test } from 'tap'
import { readGraph, readTriggers, showGraph, showTriggers } from '#shared/flows/exchange.ts'
import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const sending = (text: string): WireGraph => ({
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: {} },
    { id: 'hi', type: 'message', position: { x: 0, y: 100 }, data: { text, ends: ['next'] } },
  ],
  edges: [{ id: 'e', source: 'start', sourceHandle: 'next', target: 'hi' }],
})
const onWord = (word: string): WireTrigger[] => [{ id: 't', kind: 'keyword', match: 'equals', words: [word] }]

/** An organization whose owner and a developer edit flows. */
const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases, name: 'Ana' })
  const developer = await aMember({ databases, org: owner.org, role: 'developer', name: 'Beto' })
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    who: Pick<AMember, 'cookie'> = owner,
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api/whatsapp${path}`,
      headers: { cookie: who.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const create = async (name: string, word = name) =>
    (await call('POST', '/flows', { name, graph: sending(name), triggers: onWord(word) })).body as {
      id: string
      revision: number
    }
  const publish = (id: string, revision = 1, note?: string) =>
    call('POST', `/flows/${id}/publish`, { revision, ...(note ? { note } : {}) })
  const names = async () => ((await call('GET', '/flows')).body.items as { name: string }[]).map(({ name }) => name)
  return { backend, databases, owner, developer, call, create, publish, names }
}

t.test('a draft affects nobody until it is published, and may then differ from the published version', async t => {
  const { call, create, publish } = await stage(t)
  const { id } = await create('hola')
  const state = async () => {
    const { body } = await call('GET', `/flows/${id}`)
    return [body.state, body.published?.version ?? null, body.hasChanges]
  }
  t.same(await state(), ['draft', null, true])
  t.equal((await call('POST', `/flows/${id}/pause`, { paused: true })).body.code, 'FLOWS_NOT_PUBLISHED')
  t.equal((await publish(id, 1, ' La primera ')).status, 200)
  t.same(await state(), ['live', 1, false])
  await call('PUT', `/flows/${id}`, { revision: 1, graph: sending('chau') })
  t.same(await state(), ['live', 1, true])
  t.same((await call('GET', `/flows/${id}/versions/1`)).body.graph, sending('hola'))
  await call('POST', `/flows/${id}/pause`, { paused: true })
  t.same(await state(), ['paused', 1, true])
  await publish(id, 2)
  t.same(await state(), ['live', 2, false])
  const { body } = await call('GET', `/flows/${id}/versions`)
  t.match(body.items, [
    { version: 2, note: null, by: 'Ana' },
    { version: 1, note: 'La primera', by: 'Ana' },
  ])
})

t.test('a draft changed back to the published version has no changes, in the answer and in the list', async t => {
  const { call, create, publish } = await stage(t)
  const { id } = await create('hola')
  const save = async (revision: number, change: object) => {
    const { body } = await call('PUT', `/flows/${id}`, { revision, ...change })
    const [listed] = (await call('GET', '/flows')).body.items
    t.equal(listed.hasChanges, body.hasChanges, 'the list agrees')
    return body.hasChanges
  }
  t.equal(await save(1, { name: 'Saludo' }), true, 'never published')
  await publish(id, 2)
  t.equal(await save(2, { graph: sending('chau') }), true)
  t.equal(await save(3, { graph: sending('hola') }), false)
  t.equal(await save(4, { triggers: onWord('buenas') }), true)
  t.equal(await save(5, { name: 'Bienvenida' }), true, 'a name brings nothing back')
  t.equal(await save(6, { triggers: onWord('hola') }), false)
  const { nodes, edges } = sending('hola')
  const moved = nodes.map(node => ({ ...node, position: { x: 40, y: 8 } }))
  t.equal(await save(7, { graph: { nodes: moved, edges, notes: [{ id: 'n', text: 'Revisar' }] } }), false)
  t.equal(await save(8, { graph: { nodes: moved, edges: [] } }), true, 'a removed connection')
  await save(9, { graph: sending('chau') })
  t.equal((await publish(id, 10)).body.published.version, 2)
  t.equal((await call('POST', `/flows/${id}/versions/1/restore`, { revision: 10 })).body.hasChanges, true)
  t.equal((await call('POST', `/flows/${id}/versions/2/restore`, { revision: 11 })).body.hasChanges, false)
})

t.test('publishing an unchanged flow makes no version but resumes it, and a note makes one', async t => {
  const { call, create, publish } = await stage(t)
  const { id } = await create('hola')
  const published = async (...how: [number, string?]) => {
    const { body } = await publish(id, ...how)
    return [body.state, body.published.version, body.hasChanges]
  }
  t.same(await published(1), ['live', 1, false])
  t.same(await published(1), ['live', 1, false])
  await call('POST', `/flows/${id}/pause`, { paused: true })
  t.same(await published(1, ' '), ['live', 1, false])
  t.same(await published(1, 'Revisado con Ana'), ['live', 2, false])
  await call('PUT', `/flows/${id}`, { revision: 1, graph: sending('chau') })
  t.same(await published(2), ['live', 3, false])
})

t.test('saving over another person’s save is refused and names that person', async t => {
  const { call, create, publish, developer } = await stage(t)
  const { id } = await create('hola')
  t.equal((await call('PUT', `/flows/${id}`, { revision: 1, name: 'Saludo' }, developer)).body.revision, 2)
  const late = await call('PUT', `/flows/${id}`, { revision: 1, graph: sending('chau') })
  t.match(late, { status: 409, body: { code: 'FLOWS_STALE', message: /Beto/ } })
  t.equal((await publish(id)).body.code, 'FLOWS_STALE')
  t.match((await call('GET', `/flows/${id}`)).body, { name: 'Saludo', revision: 2, graph: sending('hola') })
})

t.test('a flow with errors is not published, and the refusal has their number and places', async t => {
  const { call, publish } = await stage(t)
  const { body } = await call('POST', '/flows', { name: 'Vacío', graph: sending('') })
  const refused = await publish(body.id)
  t.match(refused, { status: 422, body: { code: 'FLOWS_HAS_PROBLEMS', message: /1/ } })
  t.same(refused.body.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort(), [
    'graph.nodes.hi.text textMissing',
  ])
  t.notMatch(JSON.stringify(refused.body.details), /problem\./, 'in words')
  t.match((await call('GET', `/flows/${body.id}`)).body, { state: 'draft', enabled: false, published: null })
})

t.test('programs write React Flow’s format and get back what they wrote', async t => {
  const { call, databases } = await stage(t)
  const graph = {
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: {} },
      { id: 'hi', type: 'message', position: { x: 10.5, y: 0 }, data: { text: 'Hola' } },
      {
        id: 'ask',
        type: 'question',
        position: { x: 0, y: 0 },
        data: { text: '¿Cuántos?', expects: 'number', variable: 'cuantos', attempts: 2, timeoutMs: 1500 },
      },
      {
        id: 'many',
        type: 'condition',
        position: { x: 0, y: 0 },
        data: { any: [{ variable: 'cuantos', is: 'greater', value: '10' }, { hours: 'outside' }] },
      },
      {
        id: 'menu',
        type: 'buttons',
        position: { x: 0, y: 0 },
        data: { text: '¿Qué?', options: [{ id: 'a', title: 'Pan' }] },
      },
      { id: 'pause', type: 'wait', position: { x: 0, y: 0 }, data: { ms: 2500 } },
      { id: 'someone', type: 'handoff', position: { x: 0, y: 0 }, data: { message: 'Ya va', note: 'Pidió' } },
      { id: 'close', type: 'close', position: { x: 0, y: 0 }, data: {} },
      { id: 'end', type: 'end', position: { x: 0, y: 0 }, data: {} },
    ],
    edges: [
      { id: 'e1', source: 'start', sourceHandle: 'next', target: 'hi' },
      { id: 'e2', source: 'hi', sourceHandle: 'next', target: 'ask' },
      { id: 'e3', source: 'ask', sourceHandle: 'next', target: 'many' },
      { id: 'e4', source: 'ask', sourceHandle: 'invalid', target: 'someone' },
      { id: 'e5', source: 'ask', sourceHandle: 'timeout', target: 'end' },
      { id: 'e6', source: 'many', sourceHandle: 'yes', target: 'menu' },
      { id: 'e7', source: 'many', sourceHandle: 'no', target: 'pause' },
      { id: 'e8', source: 'menu', sourceHandle: 'a', target: 'close' },
      { id: 'e9', source: 'menu', sourceHandle: 'other', target: 'someone' },
      { id: 'e10', source: 'pause', sourceHandle: 'next', target: 'end' },
    ],
  }
  const triggers = [{ kind: 'keyword', match: 'starts', words: ['pedido'] }, { kind: 'default' }]
  const { status, body } = await call('POST', '/flows', { name: 'De un programa', triggers, graph })
  t.equal(status, 201)
  t.match(body, { enabled: false, revision: 1, published: null })
  t.same(body.graph, graph)
  t.same(body.triggers, triggers)
  const published = await call('POST', `/flows/${body.id}/publish`, { note: 'La primera' })
  t.match(published, { status: 200, body: { enabled: true, published: { version: 1, at: /^20/ } } })
  t.same((await call('GET', `/flows/${body.id}/versions/1`)).body.graph, graph)
  t.equal((await call('POST', `/flows/${body.id}/pause`)).body.enabled, false)
  t.equal((await call('POST', `/flows/${body.id}/publish`)).status, 200)
  // The editor's conversion and back changes nothing.
  const kept = await databases.read.selectFrom('flow').select(['graph', 'triggers']).executeTakeFirstOrThrow()
  const written = showGraph(readGraph(JSON.parse(kept.graph)))
  t.match(written, graph)
  t.match(showTriggers(readTriggers(JSON.parse(kept.triggers))), triggers)
  t.same(readGraph(written), readGraph(JSON.parse(kept.graph)))
})

t.test('fields added by React Flow are dropped, and omitted ones get their defaults', async t => {
  const { call } = await stage(t)
  const graph = {
    nodes: [
      { id: 'start', type: 'start', position: { x: 1, y: 2 }, data: {}, selected: true, measured: { width: 9 } },
      { id: 'end', type: 'end' },
    ],
    edges: [{ source: 'start', sourceHandle: null, target: 'end', animated: true }],
    viewport: { x: 0, y: 0, zoom: 1 },
  }
  const { body } = await call('POST', '/flows', { name: 'Lienzo', graph })
  t.same(body.graph, {
    nodes: [
      { id: 'start', type: 'start', position: { x: 1, y: 2 }, data: {} },
      { id: 'end', type: 'end', position: { x: 0, y: 0 }, data: {} },
    ],
    edges: [{ id: 'edge-1', source: 'start', sourceHandle: 'next', target: 'end' }],
  })
})

t.test('restoring a version changes the draft only', async t => {
  const { call, create, publish } = await stage(t)
  const { id } = await create('hola')
  await publish(id)
  await call('PUT', `/flows/${id}`, { revision: 1, graph: sending('chau'), triggers: onWord('chau') })
  await publish(id, 2)
  const { body } = await call('POST', `/flows/${id}/versions/1/restore`, { revision: 2 })
  t.match(body, { published: { version: 2 }, hasChanges: true, revision: 3, graph: sending('hola') })
  t.equal((await call('GET', `/flows/${id}/versions/9`)).body.code, 'FLOWS_VERSION_NOT_FOUND')
})

t.test('of two equal triggers the first flow starts; drafts and paused flows never start', async t => {
  const { call, create, publish, names } = await stage(t)
  const [first, second, draft] = [await create('a', 'hola'), await create('b', 'hola'), await create('c', 'hola')]
  const chosen = async (more = {}) =>
    (await call('POST', '/flow-match', { text: '¡HOLA!'.slice(1, -1), ...more })).body.chosen?.flowId ?? null
  t.equal(await chosen(), null)
  await publish(first.id)
  await publish(second.id)
  t.equal(await chosen(), first.id)
  t.equal((await call('PUT', '/flow-order', { ids: [second.id] })).status, 200)
  t.same(await names(), ['b', 'a', 'c'])
  t.equal(await chosen(), second.id)
  await call('PUT', '/flow-order', { ids: [draft.id] })
  t.equal(await chosen(), second.id)
  t.equal(await chosen({ draftId: draft.id }), draft.id, 'as if it were published')
  await call('POST', `/flows/${second.id}/pause`, { paused: true })
  t.equal(await chosen(), first.id)
  t.equal((await call('PUT', '/flow-order', { ids: ['nobody'] })).body.code, 'FLOWS_NOT_FOUND')
})

t.test('a deleted flow is not found', async t => {
  const { call, create, publish, names } = await stage(t)
  const { id } = await create('hola')
  await publish(id)
  t.same((await call('DELETE', `/flows/${id}`)).body, { success: true })
  t.same(await names(), [])
  for (const [method, path, body] of [
    ['GET', ''],
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['DELETE', ''],
    ['POST', '/publish', { revision: 1 }],
  ] as const)
    t.equal((await call(method, `/flows/${id}${path}`, body)).body.code, 'FLOWS_NOT_FOUND', `${method} ${path}`)
  t.equal((await call('POST', '/flow-match', { text: 'hola' })).body.chosen, null)
})

t.test('a graph that no editor draws is refused by its field and creates nothing', async t => {
  const { call, names } = await stage(t)
  const many = Array.from({ length: 501 }, (_, i) => ({ id: `n${i}`, type: 'start' }))
  for (const graph of [
    { nodes: many, edges: [] },
    { nodes: [{ id: 'a', type: 'teleport' }], edges: [] },
    { nodes: [{ id: 'a b', type: 'start' }], edges: [] },
    { nodes: [{ id: 'a', type: 'message', data: { text: 'x'.repeat(5000) } }], edges: [] },
    { nodes: [{ id: 'a', type: 'wait', data: { ms: -1 } }], edges: [] },
    { nodes: [{ id: 'a', type: 'message', data: { texto: 'hola' } }], edges: [] },
    { nodes: [] },
  ]) {
    const { status, body } = await call('POST', '/flows', { name: 'x', graph })
    t.equal(status, 400)
    t.match(body.details?.[0]?.field, /^body\.graph/)
  }
  t.same(await names(), [])
})

t.test('only members who may edit flows can change them', async t => {
  const { call, create, databases, owner } = await stage(t)
  const { id } = await create('hola')
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  t.equal((await call('GET', `/flows/${id}`, undefined, member)).status, 200)
  t.equal((await call('PUT', `/flows/${id}`, { revision: 1, name: 'x' }, member)).status, 403)
  t.equal((await call('POST', '/flows', { name: 'x' }, member)).status, 403)
})

/** Every call that changes a flow, in a possible order. */
const changes: readonly [method: 'PUT' | 'POST', path: string, body: object][] = [
  ['PUT', '', { revision: 1, name: ' Otra ', graph: sending('chau'), triggers: onWord('chau') }],
  ['POST', '/publish', { revision: 2, note: 'La primera' }],
  ['PUT', '', { revision: 2, graph: sending('hasta luego') }],
  ['POST', '/versions/1/restore', { revision: 3 }],
  ['POST', '/pause', { paused: true }],
  ['POST', '/pause', { paused: true }],
  ['POST', '/pause', { paused: false }],
  ['POST', '/publish', {}],
]

t.test('a change returns the flow in its new state', async t => {
  const { call, create, backend } = await stage(t)
  const { id } = await create('hola')
  for (const [method, path, body] of changes) {
    backend.clock.advance(1000)
    const changed = await call(method, `/flows/${id}${path}`, body)
    t.equal(changed.status, 200, `${method} ${path}: ${JSON.stringify(changed.body)}`)
    t.strictSame(changed.body, (await call('GET', `/flows/${id}`)).body, `${method} ${path} ${JSON.stringify(body)}`)
  }
})

testOnSqlite('a change reads what is drawn once, publishing once more for its patterns', async t => {
  const { call, create, databases } = await stage(t)
  const { id } = await create('hola')
  const statement = Object.getPrototypeOf(databases.raw.write.prepare('select 1'))
  const { all } = statement
  let reads = 0
  statement.all = function (...values: unknown[]) {
    if (/^select .*"flow"\."graph"/.test(this.source)) reads += 1
    return all.apply(this, values)
  }
  t.teardown(() => Object.assign(statement, { all }))
  for (const [method, path, body] of changes) {
    reads = 0
    t.equal((await call(method, `/flows/${id}${path}`, body)).status, 200)
    t.equal(reads, path === '/publish' ? 2 : 1, `${method} ${path}`)
  }
})
