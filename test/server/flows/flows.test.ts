import t, { type Test } from 'tap'
import type { FlowGraph } from '#shared/flow-graph.ts'
import type { FlowTrigger } from '#shared/flow-triggers.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { aHouse } from '#test/helpers/house.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const saying = (text: string): FlowGraph => ({
  nodes: [
    { id: 'start', type: 'start', x: 0, y: 0 },
    { id: 'hi', type: 'message', text, ends: ['next'], x: 0, y: 100 },
  ],
  edges: [{ id: 'e', from: 'start', output: 'next', to: 'hi' }],
})
const onWord = (word: string): FlowTrigger[] => [{ id: 't', kind: 'keyword', match: 'equals', words: [word] }]

/** An organization whose flows are drawn by its owner and by a developer. */
const stage = async (t: Test) => {
  const house = await aHouse(t)
  const { databases } = house
  const owner = await aMember({ databases, name: 'Ana' })
  const developer = await aMember({ databases, org: owner.org, role: 'developer', name: 'Beto' })
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    who: Pick<AMember, 'cookie'> = owner,
  ) => {
    const reply = await house.inject({
      method,
      url: `/api/whatsapp${path}`,
      headers: { cookie: who.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const create = async (name: string, word = name) =>
    (await call('POST', '/flows', { name, graph: saying(name), triggers: onWord(word) })).body as {
      id: string
      revision: number
    }
  const publish = (id: string, revision = 1, note?: string) =>
    call('POST', `/flows/${id}/publish`, { revision, ...(note ? { note } : {}) })
  const names = async () => ((await call('GET', '/flows')).body.items as { name: string }[]).map(({ name }) => name)
  return { house, databases, owner, developer, call, create, publish, names }
}

t.test('a draft is nobody’s business until it is published, and then what is drawn may differ', async t => {
  const { call, create, publish } = await stage(t)
  const { id } = await create('hola')
  const state = async () => {
    const { body } = await call('GET', `/flows/${id}`)
    return [body.state, body.version, body.hasChanges]
  }
  t.same(await state(), ['draft', null, true])
  t.equal((await call('POST', `/flows/${id}/pause`, { paused: true })).body.code, 'FLOWS_NOT_PUBLISHED')
  t.equal((await publish(id, 1, ' La primera ')).status, 200)
  t.same(await state(), ['live', 1, false])
  await call('PUT', `/flows/${id}`, { revision: 1, graph: saying('chau') })
  t.same(await state(), ['live', 1, true])
  t.same((await call('GET', `/flows/${id}/versions/1`)).body.graph, saying('hola'))
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

t.test('who saves over what somebody else saved is refused and learns whose it is', async t => {
  const { call, create, publish, developer } = await stage(t)
  const { id } = await create('hola')
  t.equal((await call('PUT', `/flows/${id}`, { revision: 1, name: 'Saludo' }, developer)).body.revision, 2)
  const late = await call('PUT', `/flows/${id}`, { revision: 1, graph: saying('chau') })
  t.match(late, { status: 409, body: { code: 'FLOWS_STALE', message: /Beto/ } })
  t.equal((await publish(id)).body.code, 'FLOWS_STALE')
  t.match((await call('GET', `/flows/${id}`)).body, { name: 'Saludo', revision: 2, graph: saying('hola') })
})

t.test('a flow with errors is not published and says how many', async t => {
  const { call, publish } = await stage(t)
  const { body } = await call('POST', '/flows', { name: 'Vacío' })
  t.match(await publish(body.id), { status: 409, body: { code: 'FLOWS_HAS_PROBLEMS', message: /1/ } })
  t.equal((await call('GET', `/flows/${body.id}`)).body.state, 'draft')
})

t.test('a version that is restored becomes the draft and nothing else', async t => {
  const { call, create, publish } = await stage(t)
  const { id } = await create('hola')
  await publish(id)
  await call('PUT', `/flows/${id}`, { revision: 1, graph: saying('chau'), triggers: onWord('chau') })
  await publish(id, 2)
  const { body } = await call('POST', `/flows/${id}/versions/1/restore`, { revision: 2 })
  t.match(body, { version: 2, hasChanges: true, revision: 3, graph: saying('hola') })
  t.equal((await call('GET', `/flows/${id}/versions/9`)).body.code, 'FLOWS_VERSION_NOT_FOUND')
})

t.test('the order decides which of two equals a message starts; drafts and paused flows start none', async t => {
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

t.test('a deleted flow is not there any more', async t => {
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

t.test('what no editor draws is refused by its field and makes nothing', async t => {
  const { call, names } = await stage(t)
  const many = Array.from({ length: 501 }, (_, i) => ({ id: `n${i}`, type: 'start', x: 0, y: 0 }))
  for (const graph of [
    { nodes: many, edges: [] },
    { nodes: [{ id: 'a', type: 'teleport', x: 0, y: 0 }], edges: [] },
    { nodes: [{ id: 'a b', type: 'start', x: 0, y: 0 }], edges: [] },
    { nodes: [{ id: 'a', type: 'message', x: 0, y: 0, text: 'x'.repeat(5000) }], edges: [] },
    { nodes: [{ id: 'a', type: 'wait', x: 0, y: 0, amount: -1, unit: 'hours' }], edges: [] },
    { nodes: [] },
  ]) {
    const { status, body } = await call('POST', '/flows', { name: 'x', graph })
    t.equal(status, 400)
    t.match(body.details?.[0]?.field, /^body\.graph/)
  }
  t.same(await names(), [])
})

t.test('only who may edit flows changes them', async t => {
  const { call, create, databases, owner } = await stage(t)
  const { id } = await create('hola')
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  t.equal((await call('GET', `/flows/${id}`, undefined, member)).status, 200)
  t.equal((await call('PUT', `/flows/${id}`, { revision: 1, name: 'x' }, member)).status, 403)
  t.equal((await call('POST', '/flows', { name: 'x' }, member)).status, 403)
})
