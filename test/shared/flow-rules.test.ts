import t from 'tap'
import { readGraph, showGraph } from '#shared/flow-exchange.ts'
import type { FlowRule } from '#shared/flow-graph.ts'
import { indexGraph } from '#shared/flow-graph.ts'
import { runTurn } from '#shared/flow-run.ts'

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

const holds = (value: string, op: Test, wanted: string): boolean => {
  const graph = readGraph(showGraph(conditionOf(op, wanted)))
  const turn = runTurn(indexGraph(graph), { nodeId: '', variables: { v: value }, tries: 0 }, { kind: 'begin' }, world)
  return JSON.stringify(turn).includes('"sí"')
}

t.test('numbers are compared as numbers and texts as texts, with their limits or without', async t => {
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
  ]
  for (const [value, op, wanted, isSo] of asked) t.equal(holds(value, op, wanted), isSo, `${value} ${op} ${wanted}`)
})
