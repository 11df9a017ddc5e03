import fc from 'fast-check'
import t from 'tap'
import { Value } from 'typebox/value'
import { writeDraft } from '#client/flows/draft.ts'
import { exportedText, importedDraft } from '#client/flows/exchange.ts'
import { type CarriedFlow, carryTypebot } from '#client/flows/typebot.ts'
import { flowLimits, indexGraph } from '#shared/flow-graph.ts'
import { problemsOf } from '#shared/flow-problems.ts'
import { runTurn } from '#shared/flow-run.ts'
import { WireGraph, WireTrigger } from '#shared/flow-wire.ts'

const words = { name: 'Flujo nuevo', options: 'Ver opciones' }
const carried = (bot: unknown): CarriedFlow => {
  const found = carryTypebot(JSON.stringify(bot), words)
  if (typeof found === 'string') throw new Error(found)
  return found
}
const facts = {
  ...{ tagIds: [], teamIds: [], memberIds: [], hasOtherDefault: false, templates: [], secrets: [], sendIds: [] },
  ...{ flowId: 'self', flows: [] },
}
const rich = (...lines: string[]) => ({
  richText: lines.map(line => ({ type: 'p', children: [{ text: line }] })),
})
/** Groups in a row, from the start. */
const bot = (groups: { id: string; title?: string; blocks: object[] }[], more: object = {}) => ({
  version: '6.1',
  name: 'Insumos',
  events: [{ id: 'ev', type: 'start', outgoingEdgeId: 'begin' }],
  groups: groups.map(group => ({ title: 'Grupo', graphCoordinates: { x: 0, y: 0 }, ...group })),
  variables: [],
  ...more,
  edges: [
    { id: 'begin', from: { eventId: 'ev' }, to: { groupId: groups[0]?.id } },
    ...((more as { edges?: object[] }).edges ?? []),
  ],
})
const losses = ({ lost }: CarriedFlow) => lost.map(({ what, detail }) => [what, detail].filter(Boolean).join(': '))
const contents = ({ draft }: CarriedFlow) =>
  draft.graph.nodes.map(({ id: _id, x: _x, y: _y, ends: _ends, name: _name, ...content }) => content)
const wires = ({ draft }: CarriedFlow) => draft.graph.edges.map(({ from, output, to }) => `${from} ${output} ${to}`)

t.test('words, a question and its choices go on as they did', async t => {
  const found = carried(
    bot(
      [
        {
          id: 'g1',
          title: 'Bienvenida',
          blocks: [
            { id: 'b1', type: 'text', content: rich('Hola') },
            { id: 'b2', type: 'text', content: rich('¿Cómo te llamás?') },
            { id: 'b3', type: 'text input', outgoingEdgeId: 'e1', options: { variableId: 'v1' } },
          ],
        },
        {
          id: 'g2',
          blocks: [
            { id: 'b4', type: 'text', content: rich('{{Tu Nombre}}, ¿qué buscás?') },
            {
              id: 'b5',
              type: 'choice input',
              outgoingEdgeId: 'e2',
              items: [
                { id: 'i1', content: 'Tortas', outgoingEdgeId: 'e3' },
                { id: 'i2', content: 'Panes' },
              ],
            },
          ],
        },
        { id: 'g3', title: 'Tortas', blocks: [{ id: 'b6', type: 'text', content: rich('Tortas') }] },
        { id: 'g4', blocks: [{ id: 'b7', type: 'text', content: rich('Otra cosa') }] },
      ],
      {
        variables: [{ id: 'v1', name: 'Tu Nombre' }],
        edges: [
          { id: 'e1', from: { blockId: 'b3' }, to: { groupId: 'g2' } },
          { id: 'e2', from: { blockId: 'b5' }, to: { groupId: 'g4' } },
          { id: 'e3', from: { blockId: 'b5', itemId: 'i1' }, to: { groupId: 'g3' } },
        ],
      },
    ),
  )
  t.equal(found.draft.name, 'Insumos')
  t.match(contents(found), [
    { type: 'start' },
    { type: 'message', text: 'Hola' },
    { type: 'question', text: '¿Cómo te llamás?', answer: 'text', variable: 'tu_nombre' },
    {
      type: 'buttons',
      text: '{{flujo.tu_nombre}}, ¿qué buscás?',
      options: [{ title: 'Tortas' }, { title: 'Panes' }],
    },
    { type: 'message', text: 'Tortas' },
    { type: 'message', text: 'Otra cosa' },
  ])
  t.same(wires(found), [
    'start next n1',
    'n1 next n2',
    'n2 next n3',
    'n2 invalid n2',
    'n3 o1 n4',
    'n3 o2 n5',
    'n3 other n3',
  ])
  t.equal(found.draft.graph.nodes[1]?.name, 'Bienvenida')
  t.same(losses(found), ['noTrigger'])
  t.same(
    problemsOf(found.draft, facts).filter(({ isError }) => isError),
    [],
  )
})

t.test('conditions are asked one after another, and jumps lead where they led', async t => {
  const comparison = (variableId: string, comparisonOperator: string, value = '') => ({
    ...{ id: 'c', variableId, comparisonOperator, value },
  })
  const found = carried(
    bot(
      [
        {
          id: 'g1',
          blocks: [
            { id: 'b1', type: 'Set variable', options: { variableId: 'v1', expressionToEvaluate: '7' } },
            {
              id: 'b2',
              type: 'Condition',
              items: [
                {
                  id: 'i1',
                  outgoingEdgeId: 'e1',
                  content: { comparisons: [comparison('v1', 'Greater than', '5'), comparison('v1', 'Is set')] },
                },
                {
                  id: 'i2',
                  outgoingEdgeId: 'e2',
                  content: { logicalOperator: 'OR', comparisons: [comparison('v1', 'Matches regex', '^a')] },
                },
              ],
            },
            { id: 'b3', type: 'Wait', options: { secondsToWaitFor: '3600' } },
            { id: 'b4', type: 'Jump', options: { groupId: 'g2', blockId: 'b6' } },
          ],
        },
        {
          id: 'g2',
          blocks: [
            { id: 'b5', type: 'text', content: rich('Uno') },
            { id: 'b6', type: 'text', content: rich('Dos') },
          ],
        },
      ],
      {
        variables: [{ id: 'v1', name: 'Edad' }],
        edges: [
          { id: 'e1', from: { blockId: 'b2', itemId: 'i1' }, to: { groupId: 'g2' } },
          { id: 'e2', from: { blockId: 'b2', itemId: 'i2' }, to: { groupId: 'g2', blockId: 'b6' } },
        ],
      },
    ),
  )
  t.match(contents(found), [
    {},
    { type: 'set', variable: 'edad', value: '7' },
    { type: 'condition', all: true, rules: [{ name: 'flujo.edad', op: 'greater', value: '5' }, { op: 'isSet' }] },
    { type: 'condition', all: false, rules: [{ name: '' }] },
    { type: 'wait', amount: 60, unit: 'minutes' },
    { text: 'Uno' },
    { text: 'Dos' },
  ])
  t.same(wires(found), [
    'start next n1',
    'n1 next n2',
    'n2 yes n5',
    'n2 no n3',
    'n3 yes n6',
    'n3 no n4',
    'n4 next n6',
    'n5 next n6',
  ])
  t.same(losses(found), ['rule: Matches regex', 'noTrigger'])
  t.match(
    problemsOf(found.draft, facts).find(({ isError }) => isError),
    { nodeId: 'n3', code: 'variableUnknown' },
    'what is not the same rule is not published by mistake',
  )
})

t.test('a service is called as it was, without its key', async t => {
  const found = carried(
    bot(
      [
        {
          id: 'g1',
          blocks: [
            {
              id: 'b1',
              type: 'Webhook',
              options: {
                isCustomBody: true,
                responseVariableMapping: [
                  { id: 'm1', variableId: 'v1', bodyPath: 'data.pedido[0].estado' },
                  { id: 'm2', variableId: 'v1', bodyPath: 'statusCode' },
                ],
                webhook: {
                  url: 'https://tienda.example/pedidos',
                  method: 'POST',
                  headers: [
                    { id: 'h1', key: 'Authorization', value: 'Bearer s3cr3t' },
                    { id: 'h2', key: 'x-origen', value: 'bot' },
                  ],
                  queryParams: [{ id: 'q1', key: 'dni', value: '{{DNI}}' }],
                  body: '{"estado":"{{Estado}}"}',
                },
              },
            },
          ],
        },
      ],
      {
        variables: [
          { id: 'v1', name: 'Estado' },
          { id: 'v2', name: 'DNI' },
        ],
      },
    ),
  )
  t.match(contents(found)[1], {
    ...{ type: 'http', method: 'POST', url: 'https://tienda.example/pedidos?dni={{flujo.dni}}', send: 'json' },
    headers: [
      { name: 'Authorization', value: '' },
      { name: 'x-origen', value: 'bot' },
    ],
    ...{ body: '{"estado":"{{flujo.estado}}"}', map: [{ variable: 'estado', path: 'pedido[0].estado' }] },
  })
  t.notMatch(JSON.stringify(found), 's3cr3t')
  t.same(losses(found), ['httpPath: statusCode', 'secret: Authorization', 'noTrigger'])
})

t.test('what there is none of here is named; who asked for a payment calls a person', async t => {
  const found = carried(
    bot([
      {
        id: 'g1',
        title: 'Datos',
        blocks: [
          { id: 'b1', type: 'Google Sheets', options: {} },
          { id: 'b2', type: 'image', content: { url: 'https://img.example/a.png' } },
          { id: 'b3', type: 'Code', options: { content: 'alert(1)' } },
          { id: 'b4', type: 'Set variable', options: { variableId: 'v1', expressionToEvaluate: '{{Precio}} + 5' } },
          { id: 'b5', type: 'rating input', options: { labels: { placeholder: '¿Cuántas estrellas?' } } },
          { id: 'b6', type: 'payment input', options: {} },
        ],
      },
    ]),
  )
  t.match(contents(found), [
    {},
    { type: 'message', text: 'https://img.example/a.png' },
    { type: 'question', text: '¿Cuántas estrellas?', answer: 'number' },
    { type: 'handoff', note: 'Typebot: payment input' },
  ])
  t.same(losses(found), [
    'dropped: Google Sheets',
    'asLink: https://img.example/a.png',
    'dropped: Code',
    'dropped: Set variable',
    'asText: rating input',
    'inputDropped: payment input',
    'noTrigger',
  ])
  t.ok(found.lost.slice(0, -1).every(({ group }) => group === 'Datos'))
})

t.test('a kind of value with the name of what every object has is one there is none of', async t => {
  const kinds = ['__proto__', 'constructor', 'toString']
  const blocks = kinds.map((type, i) => ({ id: `b${i}`, type: 'Set variable', options: { variableId: 'v1', type } }))
  const found = carried(bot([{ id: 'g1', blocks }], { variables: [{ id: 'v1', name: 'Dato' }] }))
  t.match(contents(found), [{}, ...kinds.map(() => ({ type: 'set', value: '' }))])
  t.match(
    losses(found),
    kinds.map(kind => `valueUnknown: ${kind}`),
  )
})

t.test('words keep their weight, their lists and their links', async t => {
  const found = carried(
    bot([
      {
        id: 'g1',
        blocks: [
          {
            id: 'b1',
            type: 'text',
            content: {
              richText: [
                { type: 'p', children: [{ text: 'Hola ' }, { text: 'Ana ', bold: true }, { text: '!', italic: true }] },
                {
                  type: 'ol',
                  children: ['uno', 'dos'].map(text => ({
                    type: 'li',
                    children: [{ type: 'lic', children: [{ text }] }],
                  })),
                },
                { type: 'p', children: [{ type: 'a', url: 'https://a.example', children: [{ text: 'Ver' }] }] },
                { type: 'p', children: [{ text: '{{= 1 + 1 =}}{{Nadie}}.' }] },
              ],
            },
          },
        ],
      },
    ]),
  )
  t.equal((contents(found)[1] as { text: string }).text, 'Hola *Ana* _!_\n1. uno\n2. dos\nVer (https://a.example)\n.')
  t.same(
    losses(found).map(one => one.split(':')[0]),
    ['formula', 'unknownVariable', 'noTrigger'],
  )
})

t.test('how it began on WhatsApp is how it begins, as far as words say so', async t => {
  const of = (comparisons: object[], logicalOperator = 'OR') =>
    carried(
      bot([{ id: 'g1', blocks: [{ id: 'b', type: 'text', content: rich('x') }] }], {
        settings: { whatsApp: { startCondition: { logicalOperator, comparisons } } },
      }),
    )
  const hola = { comparisonOperator: 'Contains', value: 'hola' }
  t.match(of([hola, { comparisonOperator: 'constructor', value: 'x' }]).draft.triggers, [
    { kind: 'keyword', match: 'contains', words: ['hola'] },
  ])
  t.same(losses(of([hola, hola], 'AND')), ['startRule: Contains hola', 'startRule: Contains hola', 'noTrigger'])
})

t.test('files that are none of Typebot’s, broken or too much are refused by name', async t => {
  for (const [text, why] of [
    ['{', 'unreadable'],
    ['null', 'notTypebot'],
    ['[]', 'notTypebot'],
    ['{"groups":[],"edges":[]}', 'notTypebot'],
    ['{"version":"6","groups":{},"edges":[]}', 'notTypebot'],
    [exportedText({ name: 'x', graph: { nodes: [], edges: [] }, triggers: [] }), 'notTypebot'],
    ['['.repeat(200_000), 'unreadable'],
  ] as const)
    t.equal(carryTypebot(text, words), why)
  const many = (count: number) =>
    bot([
      {
        id: 'g',
        blocks: Array.from({ length: count }, (_, i) => ({ id: `b${i}`, type: 'text', content: rich(`${i}`) })),
      },
    ])
  t.equal(carryTypebot(JSON.stringify(many(5000)), words), 'tooManyBlocks')
  t.equal(carryTypebot(JSON.stringify(many(flowLimits.nodes)), words), 'tooManyBlocks')
  t.equal(carried(many(flowLimits.nodes - 1)).draft.graph.nodes.length, flowLimits.nodes)
  t.equal(importedDraft(JSON.stringify(many(1))), undefined, 'and none of ours')
})

t.test('whatever a file holds, what comes of it is a flow the server takes, or nothing', async () => {
  const types = [
    ...['text', 'image', 'text input', 'number input', 'choice input', 'picture choice input', 'file input', 'Webhook'],
    ...['Set variable', 'Condition', 'Redirect', 'Code', 'Typebot link', 'Wait', 'AB test', 'Jump', 'Return', 'Loop'],
    ...['OpenAI', '__proto__', 'constructor', 'start', ''],
  ]
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '{{Name}}',
      '{{x',
      '{{= y =}}',
      '__proto__',
      '<b>x</b>',
      '5',
      '-1',
      '1e9',
      'data.a',
      'https://x.example',
    ),
  )
  const id = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', '')
  const anything = fc.anything({ maxDepth: 2 })
  const item = fc.record(
    { id, content: fc.oneof(text, anything), title: text, outgoingEdgeId: id, displayCondition: anything },
    { requiredKeys: [] },
  )
  const block = fc.record(
    {
      id,
      type: fc.constantFrom(...types),
      outgoingEdgeId: id,
      items: fc.array(fc.oneof(item, anything), { maxLength: 12 }),
      content: fc.oneof(
        fc.record({
          richText: fc.array(
            fc.record({
              type: fc.constantFrom('p', 'ul', 'h1'),
              children: fc.array(fc.oneof(fc.record({ text }), anything)),
            }),
          ),
        }),
        fc.record({ html: text, url: text }),
        anything,
      ),
      options: fc.oneof(
        fc.record(
          {
            ...{
              variableId: id,
              type: text,
              expressionToEvaluate: text,
              secondsToWaitFor: text,
              groupId: id,
              blockId: id,
            },
            ...{
              url: text,
              isCustomBody: fc.boolean(),
              responseVariableMapping: fc.array(fc.record({ variableId: id, bodyPath: text })),
            },
            webhook: fc.record({
              url: text,
              method: text,
              body: text,
              headers: fc.array(fc.record({ key: text, value: text })),
            }),
            typebotId: fc.constant('current'),
          },
          { requiredKeys: [] },
        ),
        anything,
      ),
    },
    { requiredKeys: ['type'] },
  )
  const file = fc.record({
    version: fc.constantFrom('6', '6.1', '5', '3'),
    name: text,
    events: fc.oneof(fc.constant([{ id: 'a', type: 'start', outgoingEdgeId: 'a' }]), anything),
    groups: fc.array(fc.oneof(fc.record({ id, title: text, blocks: fc.array(fc.oneof(block, anything)) }), anything)),
    edges: fc.array(
      fc.oneof(
        fc.record({ id, from: fc.record({ blockId: id, itemId: id }), to: fc.record({ groupId: id, blockId: id }) }),
        anything,
      ),
    ),
    variables: fc.array(fc.oneof(fc.record({ id, name: text }), anything)),
    settings: fc.oneof(
      fc.record({
        whatsApp: fc.record({
          startCondition: fc.record({ comparisons: fc.array(fc.record({ comparisonOperator: text, value: text })) }),
        }),
      }),
      anything,
    ),
  })
  fc.assert(
    fc.property(file, one => {
      const found = carryTypebot(JSON.stringify(one), words)
      if (typeof found === 'string') return
      const { graph, triggers, name } = writeDraft(found.draft)
      if (!name.trim()) throw new Error('no name')
      for (const fault of Value.Errors(WireGraph, graph)) throw new Error(JSON.stringify(fault))
      for (const trigger of triggers) if (!Value.Check(WireTrigger, trigger)) throw new Error(JSON.stringify(trigger))
      problemsOf(found.draft, facts)
      runTurn(
        indexGraph(found.draft.graph),
        { nodeId: '', variables: {}, tries: 0 },
        { kind: 'begin' },
        {
          ...{
            now: '2026-11-23T12:00:00.000Z',
            timeZone: 'UTC',
            isOpen: true,
            tagIds: [],
            isWindowOpen: true,
            listLabel: 'Ver opciones',
            expiresAfterHours: 4,
            expiredText: null,
          },
          ...{ knownTagIds: [], fillTemplate: () => 'templateGone' as const },
          builtIn: {
            'contacto.nombre': '',
            'contacto.telefono': '',
            'agente.nombre': '',
            'org.nombre': '',
            ultimo_mensaje: '',
          },
        },
      )
    }),
    { numRuns: 300 },
  )
})
