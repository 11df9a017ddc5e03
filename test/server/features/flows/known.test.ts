import t from 'tap'
import { type Drawn, flowPhone, flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const never = { week: Object.fromEntries(weekdays.map(day => [day, []])), exceptions: [] }

t.test('texts and rules can use contact fields and the assignee', async t => {
  const graph = graphOf(
    [
      {
        id: 'm',
        type: 'message',
        text: '{{contacto.nombre}}, de {{contacto.ciudad_natal|ningún lado}}: {{agente.nombre|nadie}}',
      },
      {
        id: 'c',
        type: 'condition',
        all: true,
        rules: [{ left: 'variable', name: 'contacto.ciudad_natal', op: 'equals', value: 'rosario' }],
      },
      { id: 'y', type: 'message', text: 'Rosarina' },
    ] satisfies Drawn[],
    [
      ['s', 'next', 'm'],
      ['m', 'next', 'c'],
      ['c', 'yes', 'y'],
    ],
  )
  const { call, say, said, flow } = await flowStage(t, graphOf([{ id: 'e', type: 'end' }], [['s', 'next', 'e']]))
  t.equal((await call('POST', '/whatsapp/contact-fields', { label: '¿Ciudad natal?', kind: 'text' })).status, 201)
  t.equal((await call('PUT', `/whatsapp/flows/${flow}`, { revision: 1, graph })).status, 200)
  const published = await call('POST', `/whatsapp/flows/${flow}/publish`, {})
  t.equal(published.status, 200, JSON.stringify(published.body))
  await say('hola')
  t.same(await said(), ['Lucía, de ningún lado: nadie'])
  const [field] = (await call('GET', '/whatsapp/contact-fields')).body.items
  const contact = `/whatsapp/conversations/${flowPhone}/contact`
  t.equal((await call('PATCH', contact, { fields: [{ id: field.id, value: 'Rosario' }] })).status, 200)
  const chat = `/whatsapp/conversations/${flowPhone}`
  t.equal((await call('POST', `${chat}/control`, { owner: 'human' })).status, 200)
  t.equal((await call('POST', '/whatsapp/chat/archive', { phoneNumber: flowPhone, archived: true })).status, 200)
  await say('hola')
  t.same((await said()).slice(1), ['Lucía, de Rosario: Ana', 'Rosarina'])
})

t.test('a draft with an unknown field cannot be published', async t => {
  const { call } = await flowStage(t, graphOf([{ id: 'm', type: 'message', text: 'x' }], [['s', 'next', 'm']]))
  const graph = graphOf([{ id: 'm', type: 'message', text: '{{contacto.nada}}' }], [['s', 'next', 'm']])
  const { body } = await call('POST', '/whatsapp/flows', { name: 'Otro', graph, triggers: [] })
  const refused = await call('POST', `/whatsapp/flows/${body.id}/publish`, {})
  t.equal(refused.status, 422)
  t.match(refused.body.details, [{ code: 'variableUnknown' }])
})

t.test('a formula is calculated; one without a result is empty, and the step says so', async t => {
  const graph = graphOf(
    [
      { id: 'a', type: 'set', variable: 'total', formula: true, value: 'redondear(largo(contacto.nombre) * 1.21, 2)' },
      { id: 'b', type: 'set', variable: 'mal', formula: true, value: 'contacto.nombre * 2' },
      { id: 'm', type: 'message', text: '{{flujo.total}} y {{flujo.mal|nada}}' },
    ] satisfies Drawn[],
    [
      ['s', 'next', 'a'],
      ['a', 'next', 'b'],
      ['b', 'next', 'm'],
    ],
  )
  const { call, say, said, flow, sessions } = await flowStage(t, graph)
  await say('hola')
  t.same(await said(), ['6.05 y nada'])
  t.same(await sessions(), ['finished'])
  const [run] = (await call('GET', `/whatsapp/flows/${flow}/runs`)).body.items
  const { timeline } = (await call('GET', `/whatsapp/flow-runs/${run.id}`)).body
  t.match(timeline, [{}, { why: 'calculated' }, { why: 'notCalculated' }, {}])
})

t.test('outside business hours a handoff takes another output, within them it hands over', async t => {
  const graph = graphOf(
    [
      { id: 'h', type: 'handoff', hours: true, message: 'Ya te atienden' },
      { id: 'm', type: 'message', text: 'Mañana a las nueve te escribimos' },
    ] satisfies Drawn[],
    [
      ['s', 'next', 'h'],
      ['h', 'closed', 'm'],
    ],
  )
  const { call, say, said, sessions, control } = await flowStage(t, graph)
  t.equal((await call('PUT', '/organization/business-hours', { hours: never })).status, 200)
  await say('hola')
  t.same(await said(), ['Mañana a las nueve te escribimos'])
  t.same(await sessions(), ['finished'])
  t.equal((await call('PUT', '/organization/business-hours', { hours: null })).status, 200)
  await say('hola')
  t.same((await said()).slice(1), ['Ya te atienden'])
  t.same(await sessions(), ['finished', 'handedOff: asked'])
  t.equal(await control(), 'needsHuman')
})
