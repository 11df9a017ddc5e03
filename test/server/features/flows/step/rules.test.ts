import t from 'tap'
import { advanceSession } from '#server/features/flows/step/advance-session.ts'
import { readGraph, showGraph } from '#shared/flows/exchange.ts'
import { indexGraph } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { FlowRule } from '#shared/flows/nodes/condition.ts'
import type { FlowFacts } from '#shared/flows/problems/problem.ts'
import { problemsOf } from '#shared/flows/problems/problems.ts'
import { patternFaultOf } from '#shared/kernel/pattern.ts'

type Test = Extract<FlowRule, { left: 'variable' }>['op']

const conditionOf = (op: Test, value: string) => ({
  nodes: [
    { id: 'start', type: 'start', x: 0, y: 0 },
    { id: 'c', type: 'condition', x: 0, y: 0, all: true, rules: [{ left: 'variable', name: 'flujo.v', op, value }] },
    { id: 'y', type: 'message', x: 0, y: 0, text: 'sí' },
    { id: 'n', type: 'message', x: 0, y: 0, text: 'no' },
  ] as const,
  edges: [
    { id: 'e1', from: 'start', output: 'next', to: 'c' },
    { id: 'e2', from: 'c', output: 'yes', to: 'y' },
    { id: 'e3', from: 'c', output: 'no', to: 'n' },
  ],
})

const world = {
  customerId: 'c1',
  ...{ now: '2026-11-23T12:00:00.000Z', timeZone: 'UTC', isOpen: true, tagIds: [], isWindowOpen: true },
  ...{
    expiresAfterHours: 4,
    expiredText: null,
    knownTagIds: [],
    fillTemplate: () => 'templateGone' as const,
    listLabel: '',
  },
  builtIn: {
    'contacto.nombre': '',
    'contacto.telefono': '',
    'agente.nombre': '',
    'org.nombre': '',
    ultimo_mensaje: '',
  },
}

const turnOf = (value: string, op: Test, wanted: string) => {
  const graph = readGraph(showGraph(conditionOf(op, wanted)))
  return advanceSession(indexGraph(graph), { nodeId: '', variables: { v: value }, tries: 0 }, { kind: 'begin' }, world)
}
const holds = (value: string, op: Test, wanted: string): boolean =>
  JSON.stringify(turnOf(value, op, wanted)).includes('"sí"')

t.test('numbers are compared as numbers and texts as texts, including and excluding limits', async t => {
  const asked: readonly [value: string, op: Test, wanted: string, isSo: boolean][] = [
    ['10', 'greaterOrEqual', '9', true],
    ['9', 'greaterOrEqual', '9,0', true],
    ['8.9', 'greaterOrEqual', '9', false],
    ['9', 'lessOrEqual', '9', true],
    ['10', 'lessOrEqual', '9', false],
    ['Ana', 'lessOrEqual', 'beto', true],
    ['ÁNA', 'greaterOrEqual', 'ana', true],
    ['Hola mundo', 'notContains', 'MUNDO', false],
    ['Hola', 'notContains', 'mundo', true],
    ['', 'notContains', 'x', true],
    ['9', 'greater', '9', false],
    ['9', 'less', '9', false],
    ['AB-1234', 'fitsPattern', '^[A-Z]{2}-\\d{4}$', true],
    ['ab-1234', 'fitsPattern', '^[A-Z]{2}-\\d{4}$', false],
    ['pedido 77', 'fitsPattern', '\\d+', true],
    ['pedido', 'notFitsPattern', '\\d+', true],
    ['pedido 77', 'notFitsPattern', '\\d+', false],
    ['', 'fitsPattern', '^$', true],
    ['ñandú', 'fitsPattern', '^\\w+$', true],
    ['(', 'fitsPattern', '(', false],
    ['{{flujo.v}}', 'fitsPattern', '{{flujo.v}}', false],
  ]
  for (const [value, op, wanted, isSo] of asked) t.equal(holds(value, op, wanted), isSo, `${value} ${op} ${wanted}`)
})

t.test('a pattern beyond the budget of an advance matches nothing, negated or not, and the step says so', async t => {
  for (const op of ['fitsPattern', 'notFitsPattern'] as const)
    for (const wanted of ['a{999}', '(.{0,100}){9}!'])
      t.match(turnOf('a'.repeat(1000), op, wanted).steps, [{}, { nodeId: 'c', output: 'no', why: 'tooMuchWork' }])
})

const facts: FlowFacts = {
  ...{ tagIds: [], teamIds: [], memberIds: [], hasOtherDefault: false, templates: [], secrets: [], sendIds: [] },
  ...{ flowId: 'self', flows: [], patternFault: patternFaultOf },
}
type Rule = Extract<FlowRule, { left: 'variable' }>
const rule = (op: Test, value: string): Rule => ({ left: 'variable', name: 'ultimo_mensaje', op, value })
const errorsOf = (...conditions: readonly (readonly Rule[])[]) =>
  problemsOf(
    {
      graph: {
        nodes: [
          { id: 'start', type: 'start', x: 0, y: 0 },
          ...conditions.map((rules, i) => ({
            ...({ id: `c${i}`, type: 'condition', all: true, x: 0, y: 0 } as const),
            ...{ rules, ends: ['yes', 'no'] },
          })),
        ],
        edges: [{ id: 'e', from: 'start', output: 'next', to: 'c0' }],
      },
      triggers: [],
    },
    facts,
  ).filter(({ isError }) => isError)

t.test('publishing names the rule with an invalid, too large or missing pattern', async t => {
  const found = errorsOf([
    ...[rule('fitsPattern', '^[0-9]{4}$'), rule('fitsPattern', '('), rule('notFitsPattern', 'a{999}')],
    ...[rule('notFitsPattern', ' '), rule('fitsPattern', 'a'.repeat(201)), rule('fitsPattern', '{{flujo.v}}')],
    ...[rule('contains', '(')],
  ])
  t.same(
    found.map(({ nodeId, field, code }) => [nodeId, field, code]),
    [
      ['c0', 'rules.1', 'patternInvalid'],
      ['c0', 'rules.2', 'patternTooLarge'],
      ['c0', 'rules.3', 'valueMissing'],
      ['c0', 'rules.4', 'patternTooLarge'],
      ['c0', 'rules.5', 'patternInvalid'],
    ],
  )
})

t.test('patterns in conditions count towards the flow’s limit', async t => {
  const full = Array.from({ length: flowLimits.patterns / 10 }, () => Array<Rule>(10).fill(rule('fitsPattern', 'a')))
  t.same(errorsOf(...full), [])
  const [found, ...more] = errorsOf(...full, [rule('contains', 'a'), rule('notFitsPattern', 'a')])
  t.match(found, { nodeId: 'c5', field: 'rules.1', code: 'patternsTooMany', params: { limit: flowLimits.patterns } })
  t.same(more, [])
})
