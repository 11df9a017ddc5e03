import t from 'tap'
import type { FlowEdge, FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import type { FlowFacts } from '#shared/flows/problems/problem.ts'
import { problemsOf } from '#shared/flows/problems/problems.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'

const facts: FlowFacts = {
  tagIds: ['vip'],
  teamIds: [],
  memberIds: [],
  hasOtherDefault: false,
  sendIds: [],
  templates: [],
  secrets: [],
  flowId: 'self',
  flows: [],
}
const triggers: FlowTrigger[] = [{ id: 't', kind: 'manual' }]
type Drawn = FlowNode extends infer N ? (N extends FlowNode ? Omit<N, 'x' | 'y'> : never) : never
const graphOf = (nodes: Drawn[], wires: [from: string, output: string, to: string][]): FlowGraph => ({
  nodes: nodes.map(node => ({ x: 0, y: 0, ...node }) as FlowNode),
  edges: wires.map(([from, output, to], i): FlowEdge => ({ id: `e${i}`, from, output, to })),
})
const start: Drawn = { id: 's', type: 'start' }
const found = (graph: FlowGraph, of = triggers, about = facts) =>
  problemsOf({ graph, triggers: of }, about).map(({ nodeId, field, code }) => [nodeId, field, code].join(' ').trim())

t.test('a flow that sends something and ends has no problem', async t => {
  const graph = graphOf(
    [start, { id: 'm', type: 'message', text: 'Hola {{contacto.nombre|vos}}' }, { id: 'e', type: 'end' }],
    [
      ['s', 'next', 'm'],
      ['m', 'next', 'e'],
    ],
  )
  t.same(found(graph), [])
})

t.test('an unconnected output is an error unless marked as an end', async t => {
  const node: Drawn = { id: 'm', type: 'message', text: 'x' }
  t.same(found(graphOf([start, node], [['s', 'next', 'm']])), ['m next outputOpen'])
  t.same(found(graphOf([start, { ...node, ends: ['next'] }], [['s', 'next', 'm']])), [])
})

t.test('a trigger of an unknown bulk send is an error, if the sends are known', async t => {
  const of = (sendId: string): FlowTrigger[] => [{ id: 't', kind: 'campaign', sendId, withinDays: 7 }]
  const graph = graphOf([{ ...start, ends: ['next'] }], [])
  t.same(found(graph, of('spring')), ['sendId sendUnknown'])
  t.same(found(graph, of('spring'), { ...facts, sendIds: ['spring'] }), [])
  t.same(found(graph, of('spring'), { ...facts, sendIds: undefined }), [])
})

t.test('an invalid formula, or one with an unset variable, is an error', async t => {
  const of = (value: string) =>
    found(
      graphOf(
        [start, { id: 'v', type: 'set', variable: 'x', value, formula: true, ends: ['next'] }],
        [['s', 'next', 'v']],
      ),
    )
  t.same(of('flujo.x + largo(contacto.nombre)'), [])
  t.same(of(' '), ['v value formulaMissing'])
  t.same(of('flujo.x +'), ['v value formulaInvalid'])
  t.same(of('flujo.y + 1'), ['v value variableUnknown'])
})

t.test('contact fields are variables, if they are known', async t => {
  const graph = graphOf(
    [start, { id: 'm', type: 'message', text: '{{contacto.ciudad}}', ends: ['next'] }],
    [['s', 'next', 'm']],
  )
  t.same(found(graph, triggers, { ...facts, fields: [] }), ['m text variableUnknown'])
  t.same(found(graph, triggers, { ...facts, fields: ['contacto.ciudad'] }), [])
  t.same(found(graph, triggers, { ...facts, fields: undefined }), [])
})

t.test('a handoff has an output outside business hours only if it is enabled', async t => {
  const handoff: Drawn = { id: 'h', type: 'handoff' }
  t.same(found(graphOf([start, handoff], [['s', 'next', 'h']])), [])
  t.same(found(graphOf([start, { ...handoff, hours: true }], [['s', 'next', 'h']])), ['h closed outputOpen'])
})

t.test('a loop without a wait is an error, one with a question is not', async t => {
  const text: Drawn = { id: 'a', type: 'message', text: 'x' }
  const circle = graphOf(
    [start, text, { id: 'g', type: 'goto', nodeId: 'a' }],
    [
      ['s', 'next', 'a'],
      ['a', 'next', 'g'],
    ],
  )
  t.match(found(circle).join(), 'endlessLoop')
  const wait: Drawn = { id: 'w', type: 'wait', ms: 3_600_000 }
  const slow = graphOf(
    [start, text, wait, { id: 'g', type: 'goto', nodeId: 'a' }],
    [
      ['s', 'next', 'a'],
      ['a', 'next', 'w'],
      ['w', 'next', 'g'],
    ],
  )
  t.same(found(slow), ['a fallback windowMayClose'], 'it waits, though for nobody')
})

t.test('buttons must fit WhatsApp’s limits', async t => {
  const of = (count: number, title: string) =>
    graphOf(
      [
        start,
        {
          id: 'b',
          type: 'buttons',
          text: 'x'.repeat(1025),
          options: Array.from({ length: count }, (_, i) => ({ id: `o${i}`, title: `${i}${title}` })),
          timeoutMs: 0,
          ends: ['other', ...Array.from({ length: count }, (_, i) => `o${i}`)],
        },
      ],
      [['s', 'next', 'b']],
    )
  t.same(found(of(1, 'a'.repeat(20))), ['b text textTooLong', 'b options.o0 titleTooLong'])
  t.same(found(of(4, 'a'.repeat(20))), ['b listLabel listLabelMissing'])
  t.same(found(of(0, '')), ['b text textTooLong', 'b options optionsMissing'])
  t.same(
    found(of(1, ` {{contacto.nombre|${'x'.repeat(30)}}}`)),
    ['b text textTooLong'],
    'what a variable holds is fitted when it is said',
  )
  t.same(found(of(1, '{{flujo.nada}}')), ['b text textTooLong', 'b options.o0 variableUnknown'])
})

t.test('variables, tags, teams and targets must exist', async t => {
  const graph = graphOf(
    [
      start,
      { id: 'm', type: 'message', text: '{{flujo.x}} {{flujo.y}} {{nadie}}' },
      { id: 'v', type: 'set', variable: 'x', value: '1' },
      { id: 'l', type: 'tag', action: 'add', tagId: 'gone' },
      { id: 'g', type: 'goto', nodeId: 'nowhere' },
      { id: 'h', type: 'handoff', teamId: 'gone' },
    ],
    [
      ['s', 'next', 'm'],
      ['m', 'next', 'v'],
      ['v', 'next', 'l'],
      ['l', 'next', 'g'],
    ],
  )
  t.same(found(graph), [
    'm text variableUnknown',
    'm text variableUnknown',
    'l tagId tagUnknown',
    'g nodeId targetUnknown',
    'h teamId teamUnknown',
    'h  unreachable',
  ])
})

t.test('only one flow may have the default trigger', async t => {
  const graph = graphOf([start, { id: 'e', type: 'end' }], [['s', 'next', 'e']])
  const one: FlowTrigger[] = [{ id: 'd', kind: 'default' }]
  t.same(found(graph, one), [])
  t.same(found(graph, one, { ...facts, hasOtherDefault: true }), ['defaultTwice'])
  t.same(found(graph, []), ['triggerMissing'])
})

t.test('errors come first; unreachable steps, edges to nowhere and missing triggers are only warnings', async t => {
  const graph = graphOf([start, { id: 'e', type: 'end' }], [['s', 'next', 'gone']])
  const problems = problemsOf({ graph, triggers: [] }, facts)
  t.same(
    problems.map(({ code, isError }) => [code, isError]),
    [
      ['outputOpen', true],
      ['edgeLost', false],
      ['unreachable', false],
      ['triggerMissing', false],
    ],
  )
})

t.test('a step that may send with the window closed, without a template, is a warning', async t => {
  const wait = (id: string, hours: number): Drawn => ({ id, type: 'wait', ms: hours * 3_600_000 })
  const says = (id: string): Drawn => ({ id, type: 'message', text: 'Hola' })
  const asks = (id: string, timeoutMs = 0): Drawn => ({
    ...{ id, type: 'question', text: '¿Sí?', expects: 'text', variable: 'v', attempts: 1, timeoutMs },
  })
  const closed = (graph: FlowGraph, of = triggers) => found(graph, of).filter(one => one.endsWith('windowMayClose'))
  const chain = (nodes: Drawn[], output = 'next') => {
    const all = [start, ...nodes]
    return graphOf(
      all,
      nodes.map((node, i): [string, string, string] => [
        all[i]?.id as string,
        all[i]?.type === 'question' ? output : 'next',
        node.id,
      ]),
    )
  }
  t.same(closed(chain([wait('w', 23), says('m')])), [])
  t.same(closed(chain([wait('w', 24), says('m')])), ['m fallback windowMayClose'])
  t.same(closed(chain([wait('a', 13), wait('b', 13), says('m')])), ['m fallback windowMayClose'], 'waits add up')
  t.same(closed(chain([wait('a', 13), asks('q'), wait('b', 13), says('m')])), [], 'an answer opens it')
  t.same(closed(chain([asks('q', 1440 * 60_000), says('m')], 'timeout')), ['m fallback windowMayClose'])
  const round = graphOf(
    [start, says('m'), wait('w', 1), { id: 'g', type: 'goto', nodeId: 'm' }],
    [
      ['s', 'next', 'm'],
      ['m', 'next', 'w'],
      ['w', 'next', 'g'],
    ],
  )
  t.same(closed(round), ['m fallback windowMayClose'], 'round and round it closes at last')
  const ring = graphOf(
    [start, wait('w', 1), wait('v', 30), asks('q', 60 * 60_000)],
    [
      ['s', 'next', 'w'],
      ['w', 'next', 'v'],
      ['v', 'next', 'q'],
      ['q', 'timeout', 'w'],
    ],
  )
  t.same(closed(ring), ['q fallback windowMayClose'], 'a ring of nothing but waits is walked to its end')
  const again = graphOf(
    [start, asks('q', 60 * 60_000)],
    [
      ['s', 'next', 'q'],
      ['q', 'timeout', 'q'],
    ],
  )
  t.same(closed(again), ['q fallback windowMayClose'], 'so is a question that asks itself again')
  const looks = graphOf(
    [
      start,
      wait('w', 30),
      { id: 'c', type: 'condition', all: true, rules: [{ left: 'window', op: 'open' }] },
      says('m'),
    ],
    [
      ['s', 'next', 'w'],
      ['w', 'next', 'c'],
      ['c', 'yes', 'm'],
    ],
  )
  t.same(closed(looks), [], 'a flow that checks the window first may continue')
  const unasked: FlowTrigger[] = [
    { id: 't', kind: 'webhook', variables: [] },
    { id: 't', kind: 'tagAdded', changedTagId: 'vip' },
    { id: 't', kind: 'tagRemoved', changedTagId: 'vip' },
  ]
  for (const trigger of unasked) {
    const begun = [...triggers, trigger]
    t.same(closed(chain([says('m')]), begun), ['m fallback windowMayClose'], `${trigger.kind}: nobody wrote`)
    t.same(closed(chain([asks('q'), says('m')]), begun), ['q fallback windowMayClose'], 'an answer opens it')
    t.same(closed(looks, begun), [])
  }
})
