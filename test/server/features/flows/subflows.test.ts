import t, { type Test } from 'tap'
import type { WireGraph } from '#shared/flows/wire.ts'
import { type Drawn, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const asks: Drawn = {
  id: 'q',
  type: 'question',
  text: '¿Qué día?',
  expects: 'text',
  variable: 'dia',
  attempts: 2,
  timeoutMs: 0,
}
const day = graphOf([asks], [['s', 'next', 'q']])
const nothing = graphOf([{ id: 'e', type: 'end' }], [['s', 'next', 'e']])
const running = (flowId: string): WireGraph =>
  graphOf(
    [
      { id: 'd', type: 'subflow', flowId },
      { id: 'm', type: 'message', text: 'Anotado: {{flujo.dia}}' },
    ],
    [
      ['s', 'next', 'd'],
      ['d', 'next', 'm'],
    ],
  )

const stage = async (t: Test) => {
  const staged = await flowStage(t, nothing)
  const { call, flow, databases } = staged
  /** A live flow that only other flows start. */
  const live = async (name: string, graph: WireGraph) => {
    const { body } = await call('POST', '/whatsapp/flows', { name, graph, triggers: [{ id: 'm', kind: 'manual' }] })
    return { id: body.id as string, published: await call('POST', `/whatsapp/flows/${body.id}/publish`, {}) }
  }
  const redraw = async (id: string, graph: WireGraph) => {
    const { revision } = (await call('GET', `/whatsapp/flows/${id}`)).body
    await call('PUT', `/whatsapp/flows/${id}`, { revision, graph })
    const published = await call('POST', `/whatsapp/flows/${id}/publish`, {})
    return published.status === 200 ? [] : published.body.details.map((one: { code: string }) => one.code)
  }
  const draw = (graph: WireGraph) => redraw(flow, graph)
  const notes = async () =>
    (await databases.read.selectFrom('message').select('text').where('type', '=', 'note').execute()).map(
      ({ text }) => text,
    )
  return { ...staged, live, redraw, draw, notes }
}

t.test('a flow runs another, uses its variables afterwards, and the timeline names its steps', async t => {
  const { live, draw, say, said, sessions, call, flow, backend } = await stage(t)
  const { id } = await live('Elegir día', day)
  t.same(await draw(running(id)), [])
  await say('hola')
  t.same(await said(), ['¿Qué día?'])
  await say('martes')
  t.same(await said(), ['¿Qué día?', 'Anotado: martes'])
  t.same(await sessions(), ['finished'])
  const run = (await call('GET', `/whatsapp/flows/${flow}/runs`)).body.items[0]
  const { timeline, nodes } = (await call('GET', `/whatsapp/flow-runs/${run.id}`)).body
  const inside = `${id}@1/q`
  t.match(timeline, [
    { nodeId: 's' },
    { nodeId: 'd', why: 'entered' },
    { nodeId: `${id}@1/s` },
    { nodeId: inside, why: 'asked' },
    { nodeId: inside, why: 'answered', input: 'martes' },
    { nodeId: 'd', why: 'returned', output: 'next' },
    { nodeId: 'm' },
  ])
  t.ok(
    nodes.some((node: { id: string; type: string }) => node.id === inside && node.type === 'question'),
    'as it was drawn there',
  )
  const { nodes: figures } = (await call('GET', `/whatsapp/flows/${flow}/figures`)).body
  t.match(
    figures.find((one: { nodeId: string }) => one.nodeId === 'd'),
    { entered: 1, gaveUp: 0 },
  )
  t.notOk(
    figures.some((one: { nodeId: string }) => one.nodeId.includes('/')),
    'of its own steps alone',
  )
  const list = (await call('GET', '/whatsapp/flow-calls')).body.items
  t.match(
    list.find((one: { id: string }) => one.id === flow),
    { calls: [id], variables: [] },
  )
  t.match(
    list.find((one: { id: string }) => one.id === id),
    { calls: [], variables: ['dia'] },
  )
  t.same(backend.errors(), [])
})

t.test('a session inside a subflow stays on the version it entered', async t => {
  const { live, draw, redraw, say, said } = await stage(t)
  const { id } = await live('Elegir día', day)
  await draw(running(id))
  await say('hola')
  t.same(
    await redraw(id, graphOf([{ ...asks, text: '¿Cuándo?', variable: 'otro' } as Drawn], [['s', 'next', 'q']])),
    [],
  )
  await say('martes')
  t.same(await said(), ['¿Qué día?', 'Anotado: martes'])
})

t.test('a subflow deleted or paused meanwhile calls a person with a note', async t => {
  const { live, draw, say, said, sessions, call, control, notes } = await stage(t)
  const { id } = await live('Elegir día', day)
  await draw(running(id))
  await say('hola')
  t.equal((await call('DELETE', `/whatsapp/flows/${id}`)).status, 200)
  await say('martes')
  t.same(await said(), ['¿Qué día?'])
  t.same(await sessions(), ['handedOff: flowGone'])
  t.equal(await control(), 'needsHuman')
  t.same(await notes(), ['El flujo «Bienvenida» no pudo seguir: el otro flujo ya no está.'])
})

t.test('a paused flow is not entered', async t => {
  const { live, draw, say, said, sessions, call } = await stage(t)
  const { id } = await live('Elegir día', day)
  await draw(running(id))
  await call('POST', `/whatsapp/flows/${id}/pause`, {})
  await say('hola')
  t.same(await said(), [])
  t.same(await sessions(), ['handedOff: flowGone'])
})

t.test('cyclic, unpublished or too deeply nested flows cannot be published', async t => {
  const { live, draw, redraw, flow } = await stage(t)
  t.same(await draw(running('')), ['flowMissing', 'variableUnknown'])
  t.same(await draw(running('nobody')), ['flowUnknown', 'variableUnknown'])
  t.same(await draw(running(flow)), ['flowCycle', 'variableUnknown'])
  const of = (flowId: string) => graphOf([{ id: 'd', type: 'subflow', flowId }], [['s', 'next', 'd']])
  const first = await live('1', day)
  const second = await live('2', of(first.id))
  t.same(await redraw(first.id, of(second.id)), ['flowCycle'], 'the other way round, too')
  let last = second.id
  for (const name of ['3', '4', '5', '6']) {
    const next = await live(name, of(last))
    t.equal(next.published.status, 200)
    last = next.id
  }
  t.same(await draw(running(last)), ['flowTooDeep'])
})

t.test('a draft with a subflow is simulated, and its options can be tapped', async t => {
  const { live, draw, call, flow } = await stage(t)
  const { id } = await live(
    'Menú',
    graphOf(
      [
        {
          id: 'b',
          type: 'buttons',
          text: '¿Qué?',
          options: [{ id: 'a', title: 'Pan' }],
          variable: 'dia',
          timeoutMs: 0,
        },
      ],
      [['s', 'next', 'b']],
    ),
  )
  await draw(running(id))
  const play = (inputs: object[]) => call('POST', `/whatsapp/flows/${flow}/simulate`, { inputs })
  const [line] = (await play([])).body.transcript
  const { body } = await play([{ kind: 'option', nodeId: line.nodeId, optionId: 'a' }])
  t.match(body, { state: 'finished', variables: { dia: 'Pan' } })
  t.equal(body.transcript.at(-1).text, 'Anotado: Pan')
})
