import t, { type Test } from 'tap'
import { type Drawn, flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Asks for a name, stores it and the request, and repeats it. */
const graph = graphOf(
  [
    {
      id: 'q',
      type: 'question',
      text: '¿Cómo te llamás?',
      expects: 'text',
      variable: 'nombre',
      attempts: 2,
      timeoutMs: 0,
    },
    { id: 'n', type: 'set', variable: '', contact: 'name', value: ' {{flujo.nombre}}  ' },
    { id: 'o', type: 'set', variable: '', contact: 'note', value: 'Pidió hablar de turnos' },
    { id: 'm', type: 'message', text: 'Gracias, {{contacto.nombre}}' },
  ] satisfies Drawn[],
  [
    ['s', 'next', 'q'],
    ['q', 'next', 'n'],
    ['n', 'next', 'o'],
    ['o', 'next', 'm'],
  ],
)
const stage = async (t: Test) => {
  const staged = await flowStage(t, graph)
  const contact = async () => (await staged.call('GET', `/whatsapp/conversations/${flowPhone}/contact`)).body
  return { ...staged, contact }
}

t.test('a step renames the contact by an answer, and adds a line to the note once', async t => {
  const { say, said, contact, call, flow, backend } = await stage(t)
  await say('hola')
  await say('María  José')
  t.equal((await said()).at(-1), 'Gracias, María José', 'already in the same advance')
  t.match(await contact(), { name: 'María José', profileName: 'Lucía', note: 'Pidió hablar de turnos' })
  await call('PATCH', `/whatsapp/conversations/${flowPhone}/contact`, { note: 'Cliente de siempre' })
  await say('hola')
  await say('María José')
  await say('hola')
  await say('María José')
  const { note } = await contact()
  t.equal(note.split('\n').filter((line: string) => line === 'Pidió hablar de turnos').length, 1)
  const run = (await call('GET', `/whatsapp/flows/${flow}/runs`)).body.items.at(-1)
  const { timeline } = (await call('GET', `/whatsapp/flow-runs/${run.id}`)).body
  t.match(
    timeline.find((step: { nodeId: string }) => step.nodeId === 'n'),
    { changes: { 'contacto.nombre': { before: 'Lucía', after: 'María José' } } },
  )
  const found = await call('GET', '/whatsapp/conversations?search=mar%C3%ADa')
  t.equal(found.body.items.length, 1, 'they are found by it')
  t.same(backend.errors(), [])
})

t.test('an invalid name changes nothing, and the flow continues', async t => {
  const { say, said, contact, sessions } = await stage(t)
  await say('hola')
  await say('abc\u202Edef')
  t.equal((await contact()).name, null)
  t.same(await sessions(), ['finished'])
  t.equal((await said()).at(-1), 'Gracias, Lucía')
})

t.test('a simulation changes no contact', async t => {
  const { say, call, flow, contact } = await stage(t)
  await say('hola')
  const inputs = [{ kind: 'text', text: 'Eva' }]
  const { body } = await call('POST', `/whatsapp/flows/${flow}/simulate`, { customer: { name: 'Lucía' }, inputs })
  t.equal(body.transcript.at(-1).text, 'Gracias, Eva')
  t.equal((await contact()).name, null)
})

t.test('a step without a value to store cannot be published', async t => {
  const { call, flow } = await stage(t)
  const empty = graphOf([{ id: 'n', type: 'set', variable: '', contact: 'name', value: ' ' }], [['s', 'next', 'n']])
  await call('PUT', `/whatsapp/flows/${flow}`, { revision: 1, graph: empty })
  const { status, body } = await call('POST', `/whatsapp/flows/${flow}/publish`, {})
  t.match([status, body.details], [422, [{ field: 'graph.nodes.n.value', code: 'contactValueMissing' }]])
})
