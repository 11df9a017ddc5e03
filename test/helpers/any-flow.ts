import fc from 'fast-check'
import {
  type FlowEdge,
  type FlowGraph,
  type FlowNode,
  type FlowNodeType,
  nodeKind,
  outputsOf,
} from '#shared/flows/graph.ts'
import { nodeKinds } from '#shared/flows/nodes/all.ts'
import { type Heard, serviceAnswers, type Tellable } from './flow-reference.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const namesInside = ['a', 'b', 'c'] as const
const at = (id: string) => ({ id, x: 0, y: 0 })

/** Kinds that only choose an output are excluded: they have no step and a test of their own. */
const isDrawnHere = (type: FlowNodeType): boolean => type === 'start' || !nodeKind({ type }).choose
/** Every kind of node that is generated here and played by the reference. */
export const allTypes = (Object.keys(nodeKinds) as FlowNodeType[]).filter(isDrawnHere).sort()

/** Ids of existing rows that nodes can name. */
interface Around {
  readonly tagId: string
  /** The ids of two other flows. */
  readonly flowIds: readonly [string, string]
}

const text = fc.constantFrom('Hola', 'Van {{flujo.v}}', '{{flujo.v|nada}}', '{{flujo.nadie}}')
const timeoutMs = fc.constantFrom(0, 300_000)
const options = [
  { id: 'x', title: 'Pan' },
  { id: 'y', title: 'Facturas' },
]
const choice = fc
  .constantFrom('{{flujo.v}}', '{{flujo.v|nada}}', 'x')
  .map(value => ({ template: 'aviso', language: 'es_AR', values: { 'body.1': value } }))
/** A template as fallback, or none. */
const fallback = fc.option(choice, { nil: undefined }).map(one => (one ? { fallback: one } : {}))

const drawn = (id: string, targets: readonly string[], { tagId, flowIds }: Around): fc.Arbitrary<FlowNode> =>
  fc.oneof(
    fc
      .record({ text, fallback, typing: fc.constantFrom({}, {}, { typingMs: 2000 }) })
      .map(({ text, fallback, typing }): FlowNode => ({ ...at(id), type: 'message', text, ...fallback, ...typing })),
    fc.record({ text, timeoutMs, attempts: fc.integer({ min: 1, max: 3 }), fallback }).chain(({ fallback, ...part }) =>
      fc
        .record({
          expects: fc.constantFrom('number', 'text'),
          retry: fc.constantFrom({}, { retryText: '¿Otra vez?' }),
        })
        .map(
          ({ expects, retry }): FlowNode => ({
            ...at(id),
            ...{ type: 'question', expects, variable: 'v', ...part, ...fallback, ...retry },
          }),
        ),
    ),
    fc.record({ text, timeoutMs, fallback }).map(
      ({ fallback, ...part }): FlowNode => ({
        ...at(id),
        type: 'buttons',
        options,
        variable: 'v',
        ...part,
        ...fallback,
      }),
    ),
    choice.map((one): FlowNode => ({ ...at(id), type: 'template', ...one })),
    fc
      .record({
        all: fc.boolean(),
        rules: fc.subarray(
          [
            { left: 'variable', name: 'flujo.v', op: 'isSet' },
            { left: 'variable', name: 'flujo.v', op: 'equals', value: 'listo' },
            { left: 'variable', name: 'flujo.v', op: 'notContains', value: 'list' },
            { left: 'variable', name: 'flujo.v', op: 'greaterOrEqual', value: 'listo' },
            { left: 'variable', name: 'flujo.v', op: 'lessOrEqual', value: 'listo' },
            { left: 'variable', name: 'flujo.v', op: 'fitsPattern', value: '^(x|listo|Pan)$' },
            { left: 'variable', name: 'flujo.v', op: 'notFitsPattern', value: '[A-Z]|[0-9]{2}' },
            { left: 'tag', op: 'has', tagId },
            { left: 'window', op: 'open' },
            { left: 'hours', op: 'inside' },
          ] as const,
          { minLength: 1 },
        ),
      })
      .map((part): FlowNode => ({ ...at(id), type: 'condition', ...part })),
    fc.constantFrom<FlowNode>(
      { ...at(id), type: 'set', variable: 'v', value: 'x{{flujo.v}}' },
      { ...at(id), type: 'set', variable: 'v', value: '' },
      { ...at(id), type: 'tag', action: 'add', tagId },
      { ...at(id), type: 'tag', action: 'remove', tagId },
      { ...at(id), type: 'close' },
      { ...at(id), type: 'end' },
    ),
    fc.constantFrom<FlowNode>({ ...at(id), type: 'wait', ms: 3_600_000 }, { ...at(id), type: 'wait', ms: 108_000_000 }),
    fc.constantFrom<FlowNode>(
      { ...at(id), type: 'handoff', message: 'Ya viene {{flujo.v}}' },
      { ...at(id), type: 'handoff', hours: true },
    ),
    fc.record({ path: fc.constantFrom(...Object.keys(serviceAnswers)), refusals: fc.boolean() }).map(
      ({ path, refusals }): FlowNode => ({
        ...at(id),
        ...{ type: 'http', method: 'POST', url: `https://tienda.example${path}`, headers: [], send: 'nothing' },
        ...{ body: '', form: [], timeoutMs: 2000, map: [{ variable: 'v', path: 'estado' }] },
        ...{ mock: { status: 200, body: '' }, refusals },
      }),
    ),
    fc.constantFrom(...targets, 'gone').map((nodeId): FlowNode => ({ ...at(id), type: 'goto', nodeId })),
    fc.constantFrom(...flowIds).map((flowId): FlowNode => ({ ...at(id), type: 'subflow', flowId })),
  )

const anyGraph = (ids: readonly string[], around: Around): fc.Arbitrary<FlowGraph> =>
  fc
    .tuple(
      fc.tuple(...ids.map(id => drawn(id, ids, around))),
      fc.array(fc.constantFrom(...ids, ''), { minLength: 30, maxLength: 30 }),
    )
    .map(([steps, targets]) => {
      const nodes: FlowNode[] = [{ ...at('s'), type: 'start' }, ...steps]
      const ways = nodes.flatMap(node => outputsOf(node).map(output => ({ from: node.id, output })))
      const edges = ways.flatMap(({ from, output }, i): FlowEdge[] => {
        const to = targets[i % targets.length]
        return to ? [{ id: `e${i}`, from, output, to }] : []
      })
      return { nodes, edges }
    })

/** A random graph of all kinds of nodes, with two other flows that it can run. */
export const anyTellable = (around: Around): fc.Arbitrary<Omit<Tellable, 'isOpen'>> =>
  fc
    .tuple(anyGraph(names, around), anyGraph(namesInside, around), anyGraph(namesInside, around))
    .map(([graph, one, two]) => ({
      graph,
      others: new Map([
        [around.flowIds[0], one],
        [around.flowIds[1], two],
      ]),
    }))

/** Random messages of a customer, and waits. */
export const anyHeard: fc.Arbitrary<Heard[]> = fc.array(
  fc.oneof(
    fc.constant<Heard>({ kind: 'time' }),
    fc
      .constantFrom('1', '2', 'Pan', 'facturas', 'no sé', '12,5', '7')
      .map((text): Heard => ({ kind: 'message', text })),
  ),
  { maxLength: 12 },
)
