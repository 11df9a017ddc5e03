import fc from 'fast-check'
import t from 'tap'
import { Value } from 'typebox/value'
import { writeDraft } from '#client/flows/editor/draft/draft.ts'
import { exportedText, importedDraft } from '#client/flows/import/exchange.ts'
import { type CarriedFlow, carryTypebot } from '#client/flows/import/typebot.ts'
import { advanceSession } from '#server/features/flows/step/advance-session.ts'
import { indexGraph } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { problemsOf } from '#shared/flows/problems/problems.ts'
import { WireGraph, WireTrigger } from '#shared/flows/wire.ts'
import { patternFaultOf } from '#shared/kernel/pattern.ts'

const words = { name: 'Flujo nuevo', options: 'Ver opciones' }
const carried = (bot: unknown): CarriedFlow => {
  const found = carryTypebot(JSON.stringify(bot), words)
  if (typeof found === 'string') throw new Error(found)
  return found
}
const facts = {
  ...{ tagIds: [], teamIds: [], memberIds: [], hasOtherDefault: false, templates: [], secrets: [], sendIds: [] },
  ...{ flowId: 'self', flows: [], patternFault: patternFaultOf },
}
const rich = (...lines: string[]) => ({
  richText: lines.map(line => ({ type: 'p', children: [{ text: line }] })),
})
/** Consecutive groups, from the start. */
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

t.test('texts, a question and its choices behave as before', async t => {
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
    { type: 'question', text: '¿Cómo te llamás?', expects: 'text', variable: 'tu_nombre' },
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

t.test('conditions are checked one after another, and jumps keep their targets', async t => {
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
                  content: { logicalOperator: 'OR', comparisons: [comparison('v1', 'Sounds like', '^a')] },
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
    { type: 'wait', ms: 3_600_000 },
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
  t.same(losses(found), ['rule: Sounds like', 'noTrigger'])
  t.match(
    problemsOf(found.draft, facts).find(({ isError }) => isError),
    { nodeId: 'n3', code: 'variableUnknown' },
    'what is not the same rule is not published by mistake',
  )
})

t.test('a service call is imported without its credentials', async t => {
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
  t.match(
    found.draft.graph.nodes[1],
    { type: 'message', text: '', name: 'Typebot: Webhook' },
    'somebody has to look at it',
  )
  t.match(contents(found)[2], {
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

t.test('unsupported parts are listed; a payment request calls a person', async t => {
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
    { type: 'message', text: '' },
    { type: 'message', text: '', media: { kind: 'image', url: 'https://img.example/a.png' } },
    { type: 'message', text: '' },
    { type: 'message', text: '' },
    { type: 'question', text: '¿Cuántas estrellas?', expects: 'pattern', pattern: '1|2|3|4|5|6|7|8|9|10' },
    { type: 'message', text: '' },
    { type: 'handoff', note: 'Typebot: payment input' },
  ])
  t.same(losses(found), [
    'dropped: Google Sheets',
    'dropped: Code',
    'dropped: Set variable',
    'inputDropped: payment input',
    'noTrigger',
  ])
  t.ok(found.lost.slice(0, -1).every(({ group }) => group === 'Datos'))
})

t.test('a value kind named like an Object property counts as unknown', async t => {
  const kinds = ['__proto__', 'constructor', 'toString']
  const blocks = kinds.map((type, i) => ({ id: `b${i}`, type: 'Set variable', options: { variableId: 'v1', type } }))
  const found = carried(bot([{ id: 'g1', blocks }], { variables: [{ id: 'v1', name: 'Dato' }] }))
  t.match(contents(found), [{}, ...kinds.map(() => ({ type: 'set', value: '' }))])
  t.match(
    losses(found),
    kinds.map(kind => `valueUnknown: ${kind}`),
  )
})

/** The result of one group, with its losses and the problems that prevent publishing. */
const group = (blocks: object[], more: object = {}) => {
  const found = carried(bot([{ id: 'g1', blocks }], more))
  const problems = problemsOf(found.draft, facts).filter(({ isError }) => isError)
  return {
    nodes: contents(found).slice(1),
    lost: losses(found).filter(one => one !== 'noTrigger'),
    problems,
    wires: wires(found),
  }
}
const price = {
  variables: [
    { id: 'v1', name: 'Score' },
    { id: 'v2', name: 'Nombre' },
  ],
}
const setTo = (expressionToEvaluate: string, more: object = {}) =>
  group([{ id: 'b1', type: 'Set variable', options: { variableId: 'v1', expressionToEvaluate, ...more } }], price)

t.test('calculations are converted to formulas', async t => {
  for (const [expression, value] of [
    ['{{Score}} + 5', '{{flujo.score}} + 5'],
    ['({{Score}} - 1) * 2 / 3', '({{flujo.score}} - 1) * 2 / 3'],
    ['return {{Score}} + 5;', '{{flujo.score}} + 5'],
    ['Math.round({{Score}} * 1.21)', 'redondear({{flujo.score}} * 1.21)'],
    ['Number({{Score}}) % 2', 'numero({{flujo.score}}) % 2'],
    ['{{Score}} === 3', '{{flujo.score}} = 3'],
    ['"Hola " + {{Nombre}}', '"Hola " & {{flujo.nombre}}'],
  ] as const) {
    const { nodes, lost, problems } = setTo(expression)
    t.match(nodes, [{ type: 'set', variable: 'score', formula: true, value }], expression)
    t.same(lost, [], expression)
    t.same(
      problems.filter(({ code }) => code !== 'variableUnknown'),
      [],
      expression,
    )
  }
  t.match(setTo('Hola {{Nombre}}').nodes, [{ type: 'set', value: 'Hola {{flujo.nombre}}' }])
  t.notOk((setTo('Hola {{Nombre}}').nodes[0] as { formula?: boolean }).formula, 'a text stays one')
  t.match(setTo('7 + 5', { isCode: true }).nodes, [{ formula: true, value: '7 + 5' }])
})

t.test('code without an equivalent formula, or an unknown value, prevents publishing', async t => {
  for (const expression of [
    '{{Score}}.toFixed(2)',
    'fetch("https://a.example")',
    '{{Score}}.map(x => x)',
    '"a" + {{Score}} * 2',
  ]) {
    const { nodes, lost, problems } = setTo(expression)
    t.match(nodes, [{ type: 'set', formula: true }], expression)
    t.match(lost, [/^formula: /], expression)
    t.match(problems, [{ code: 'formulaInvalid' }], expression)
  }
  t.match(setTo('', { type: 'Random ID' }).problems, [{ code: 'formulaMissing' }])
})

t.test('every comparison is supported', async t => {
  const rule = (comparisonOperator: string, value = '5') =>
    group(
      [
        {
          id: 'b1',
          type: 'Condition',
          items: [{ id: 'i1', content: { comparisons: [{ variableId: 'v1', comparisonOperator, value }] } }],
        },
      ],
      price,
    )
  for (const [operator, op] of [
    ['Equal to', 'equals'],
    ['Not equal', 'notEquals'],
    ['Contains', 'contains'],
    ['Does not contain', 'notContains'],
    ['Starts with', 'startsWith'],
    ['Ends with', 'endsWith'],
    ['Greater than', 'greater'],
    ['Greater or equal to', 'greaterOrEqual'],
    ['Less than', 'less'],
    ['Less or equal to', 'lessOrEqual'],
    ['Is set', 'isSet'],
    ['Is empty', 'isEmpty'],
  ] as const) {
    const { nodes, lost } = rule(operator)
    t.match(nodes, [{ type: 'condition', rules: [{ op }] }], operator)
    t.same(lost, [], operator)
  }
  for (const [written, pattern] of [
    ['^[0-9]{4}$', '^[0-9]{4}$'],
    ['a\\/b', 'a/b'],
    ['/^pedido [0-9]+$/', '^pedido [0-9]+$'],
    ['/^sí|ok\\d[^a-cÑ]$/gi', '^[sS][íÍ]|[oO][kK]\\d[^a-cA-CñÑ]$'],
    ['/a.b/su', 'a.b'],
    ['/a.b[.]\\./', 'a[^\\n]b[.]\\.'],
    ['/pan/y', '^(?:pan)'],
    ['/pan/dg', 'pan'],
    ['/no', '/no'],
  ] as const)
    for (const [operator, op] of [
      ['Matches regex', 'fitsPattern'],
      ['Does not match regex', 'notFitsPattern'],
    ] as const)
      t.match(
        rule(operator, written),
        { nodes: [{ rules: [{ name: 'flujo.score', op, value: pattern }] }], lost: [] },
        `${operator} ${written}`,
      )
  for (const written of ['/^a/m', '/a/v', '/a/x', '^{{Nombre}}'])
    t.match(rule('Matches regex', written), { lost: ['rule: Matches regex'], problems: [{ code: 'variableUnknown' }] })
  const rulesFaults = (written: string) => {
    const set = { id: 'b0', type: 'Set variable', options: { variableId: 'v1', expressionToEvaluate: 'a' } }
    const comparisons = [{ variableId: 'v1', comparisonOperator: 'Matches regex', value: written }]
    const condition = { id: 'b1', type: 'Condition', items: [{ id: 'i1', content: { comparisons } }] }
    const { problems } = group([set, condition], price)
    return problems.flatMap(({ field, code }) => (field?.startsWith('rules') ? code : []))
  }
  t.same(rulesFaults('^a'), [], 'it is published as it is')
  for (const written of [
    '(?=a)',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<año>a)',
    '/a(?=b)/i',
    'a'.repeat(201),
  ]) {
    t.match(rulesFaults(written), [/^pattern/], written)
    t.match(rule('Matches regex', written).lost, [/^pattern: /], 'and the report says so')
  }
  t.same(rule('Matches regex', '\\\\1(?:a)').lost, [], 'a backslash of its own')
})

t.test('media stay media, and content for browsers becomes a link', async t => {
  const shown = (type: string, content: object) => group([{ id: 'b1', type, content }])
  for (const [type, url] of [
    ['image', 'https://img.example/a.png'],
    ['video', 'https://img.example/a.mp4'],
    ['audio', 'https://img.example/a.mp3'],
  ] as const)
    t.match(shown(type, { url }), {
      nodes: [{ type: 'message', text: '', media: { kind: type, url } }],
      lost: [],
      problems: [],
    })
  for (const [type, content, text] of [
    ['video', { type: 'youtube', id: 'abc', url: 'https://youtu.be/abc' }, 'https://www.youtube.com/watch?v=abc'],
    ['image', { url: 'https://img.example/a.gif' }, 'https://img.example/a.gif'],
    ['image', { url: 'http://img.example/a.png' }, 'http://img.example/a.png'],
    ['embed', { url: 'https://mapa.example' }, 'https://mapa.example'],
  ] as const)
    t.match(shown(type, content), {
      nodes: [
        { type: 'message', text: '' },
        { type: 'message', text },
      ],
      lost: [`asLink: ${text}`],
      problems: [{ code: 'textMissing' }],
    })
  t.match(shown('image', {}), { lost: ['mediaMissing'], problems: [{ code: 'textMissing' }] })
})

t.test('a text before an image before an input is its question', async t => {
  const url = 'https://img.example/a.png'
  const picture = { id: 'b2', type: 'image', content: { url } }
  const text = (id: string, words: string) => ({ id, type: 'text', content: rich(words) })
  const found = group([text('b0', 'Hola'), text('b1', '¿Cuál?'), picture, { id: 'b3', type: 'text input' }])
  t.match(found.nodes, [{ text: 'Hola' }, { media: { kind: 'image', url } }, { type: 'question', text: '¿Cuál?' }])
  t.same(found.lost, [])
  const choices = group([
    text('b1', '¿Cuál?'),
    picture,
    { id: 'b3', type: 'choice input', items: [{ id: 'i', content: 'Esta' }] },
  ])
  t.match(choices.nodes, [{ media: { url } }, { type: 'buttons', text: '¿Cuál?' }])
  t.match(group([text('b1', 'Mirá'), picture, text('b4', 'Listo')]).nodes, [
    { text: 'Mirá' },
    { media: { url } },
    { text: 'Listo' },
  ])
})

t.test('inputs with a format of their own ask for it', async t => {
  for (const [type, options, right, wrong] of [
    ['url input', {}, 'https://a.example/b', 'hola'],
    ['time input', {}, '23:59', '24:00'],
    ['rating input', { length: 5 }, '5', '6'],
    ['rating input', { length: 3, startsAt: 0 }, '0', '4'],
  ] as const) {
    const { nodes, lost, problems } = group([
      { id: 'b1', type: 'text', content: rich('¿?') },
      { id: 'b2', type, options },
    ])
    const { expects, pattern = '' } = nodes[0] as { expects: string; pattern?: string }
    t.equal(expects, 'pattern', type)
    t.match(right, new RegExp(`^(?:${pattern})$`))
    t.notMatch(wrong, new RegExp(`^(?:${pattern})$`))
    t.same([lost, problems], [[], []], type)
  }
})

t.test('titles that are too long are listed and prevent publishing', async t => {
  const choose = (...titles: string[]) =>
    group([
      { id: 'b1', type: 'text', content: rich('¿?') },
      { id: 'b2', type: 'choice input', items: titles.map((content, i) => ({ id: `i${i}`, content })) },
    ])
  const long = 'Un título de veintiuno'
  t.match(choose('Sí', long), { lost: [`titleLong: ${long}`], problems: [{ code: 'titleTooLong' }] })
  t.same(choose('a', 'b', 'c', long).lost, [], 'rows of a list take more')
  t.match(choose(...Array.from({ length: 12 }, (_, i) => `${i}`)), {
    lost: ['optionsCut: 2'],
    problems: [{ code: 'textMissing' }],
  })
})

t.test('every difference prevents publishing until somebody has looked at it', async t => {
  const items = [{ id: 'i1', content: 'Sí' }]
  for (const block of [
    ...['Google Sheets', 'OpenAI', 'Code', 'Typebot link', 'Chatwoot', 'payment input'].map(type => ({ type })),
    { type: 'choice input', items, options: { isMultipleChoice: true } },
    { type: 'choice input', items: [{ ...items[0], displayCondition: { isEnabled: true } }] },
    { type: 'choice input', items, options: { dynamicVariableId: 'v1' } },
    { type: 'picture choice input', items: [{ id: 'i1', title: 'Sí' }] },
    { type: 'Wait', options: { secondsToWaitFor: '{{Score}}' } },
    { type: 'AB test', items: [{ id: 'a' }, { id: 'b' }] },
    { type: 'Jump', options: {} },
    { type: 'Webhook', options: { webhook: { url: 'https://a.example', method: 'HEAD' } } },
    {
      type: 'Webhook',
      options: {
        webhook: { url: 'https://a.example', method: 'GET', headers: [{ key: 'Authorization', value: 'Bearer x' }] },
      },
    },
    { type: 'Redirect', options: { url: 'https://a.example' } },
    { type: 'embed', content: { url: 'https://mapa.example' } },
    { type: 'video', content: { type: 'vimeo', id: '1' } },
    { type: 'image', content: { url: 'https://img.example/a.gif' } },
    { type: 'number input', options: { min: 1, max: 5 } },
    { type: 'number input', options: { step: 2 } },
    { type: 'date input', options: { isRange: true } },
    { type: 'file input', options: { isMultipleAllowed: true } },
    { type: 'text input', options: { audioClip: { isEnabled: true } } },
  ]) {
    const { lost, problems } = group([
      { id: 'b0', type: 'text', content: rich('¿?') },
      { id: 'b1', ...block },
    ])
    t.ok(lost.length > 0, block.type)
    t.ok(problems.length > 0, block.type)
  }
})

t.test('an unsupported start condition prevents publishing, too', async t => {
  const blocks = [{ id: 'b1', type: 'text', content: rich('Hola') }]
  const start = { id: 'ev', type: 'start', outgoingEdgeId: 'begin' }
  const startRule = (comparisonOperator: string, value: string) => ({
    settings: { whatsApp: { startCondition: { comparisons: [{ comparisonOperator, value }] } } },
  })
  for (const [more, lost] of [
    [{ events: [start, { id: 'e2', type: 'command', options: { command: 'menu' } }] }, 'event: command'],
    [{ events: [start, { id: 'e2', type: 'reply' }] }, 'event: reply'],
    [startRule('Ends with', 'hola'), 'startRule: Ends with hola'],
    [startRule('Matches regex', '/^hola/m'), 'startRule: Matches regex /^hola/m'],
    [startRule('Matches regex', 'hola(?! chau)'), 'startRule: Matches regex hola(?! chau)'],
  ] as const) {
    const found = group(blocks, more)
    t.ok(found.lost.includes(lost), `${lost} in ${found.lost}`)
    t.match(found.problems, [{ nodeId: 'n0', code: 'textMissing' }], lost)
    t.same(found.wires.slice(0, 2), ['start next n0', 'n0 next n1'], 'looked at where it begins')
  }
  const found = carried(bot([{ id: 'g1', blocks }], startRule('Matches regex', '/^hola/i')))
  t.match(found.draft.triggers, [{ match: 'pattern', words: ['^[hH][oO][lL][aA]'] }])
  t.same(losses(found), [])
  const twice = { id: 'g1', blocks }
  t.match(problemsOf(carried(bot([twice, twice])).draft, facts), [{ nodeId: 'n0', code: 'textMissing' }])
})

t.test('a condition after a step to look at still checks one rule after another', async t => {
  const comparisons = Array.from({ length: flowLimits.rules + 1 }, () => ({
    ...{ variableId: 'v1', comparisonOperator: 'Is set' },
  }))
  const items = [
    { id: 'i1', content: { comparisons } },
    { id: 'i2', content: { comparisons: comparisons.slice(0, 1) } },
  ]
  const { lost, wires: ways } = group([{ id: 'b1', type: 'Condition', items }], price)
  t.same(lost, ['textCut'])
  t.same(ways, ['start next n1', 'n1 next n2', 'n2 no n3'])
})

t.test('a file without a version is accepted if it has groups with blocks', async t => {
  const { version: _, ...rest } = bot([{ id: 'g1', blocks: [{ id: 'b1', type: 'text', content: rich('Hola') }] }])
  t.match(contents(carried(rest)), [{ type: 'start' }, { type: 'message', text: 'Hola' }])
  t.match(contents(carried({ ...rest, version: 6 })), [{ type: 'start' }, { type: 'message', text: 'Hola' }])
  t.equal(carryTypebot(JSON.stringify({ groups: [{ id: 'a' }], edges: [] }), words), 'notTypebot')
  t.equal(carryTypebot(JSON.stringify({ ...rest, version: '9' }), words), 'notTypebot')
})

t.test('texts keep their formatting, lists and links', async t => {
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
  t.equal(
    (contents(found)[1] as { text: string }).text,
    'Hola *Ana* _!_\n1. uno\n2. dos\nVer (https://a.example)\n{{flujo.sin_formula}}{{flujo.sin_nadie}}.',
  )
  t.same(
    losses(found).map(one => one.split(':')[0]),
    ['formula', 'unknownVariable', 'noTrigger'],
  )
})

t.test('WhatsApp start conditions become triggers, if they are words', async t => {
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

t.test('other, broken or too large files are refused by name', async t => {
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

t.test('any file becomes a flow that the server accepts, or none', async () => {
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
      advanceSession(
        indexGraph(found.draft.graph),
        { nodeId: '', variables: {}, tries: 0 },
        { kind: 'begin' },
        {
          ...{
            now: '2026-11-23T12:00:00.000Z',
            customerId: 'c1',
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
