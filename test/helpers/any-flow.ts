import fc from 'fast-check'
import { type FlowEdge, type FlowGraph, type FlowNode, type FlowNodeType, outputsOf } from '#shared/flows/graph.ts'
import { type Heard, serviceAnswers, type Tellable } from './flow-reference.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const namesInside = ['a', 'b', 'c'] as const
const at = (id: string) => ({ id, x: 0, y: 0 })

/** Every kind of node there is; one that is added has to be drawn here, and in the plain telling. */
export const allTypes = Object.keys({
  ...{ start: 0, message: 0, template: 0, question: 0, buttons: 0, condition: 0, set: 0, tag: 0, wait: 0, http: 0 },
  ...{ goto: 0, subflow: 0, handoff: 0, archive: 0, end: 0 },
} satisfies Record<FlowNodeType, 0>).sort()

/** What there is in an organization. */
interface Around {
  readonly tagId: string
  /** Of two other flows. */
  readonly flowIds: readonly [string, string]
}

const text = fc.constantFrom('Hola', 'Van {{flujo.v}}', '{{flujo.v|nada}}', '{{flujo.nadie}}')
const timeoutMinutes = fc.constantFrom(0, 5)
const options = [
  { id: 'x', title: 'Pan' },
  { id: 'y', title: 'Facturas' },
]
const choice = fc
  .constantFrom('{{flujo.v}}', '{{flujo.v|nada}}', 'x')
  .map(value => ({ template: 'aviso', language: 'es_AR', values: { 'body.1': value } }))
/** Says the same by a template, or has none. */
const fallback = fc.option(choice, { nil: undefined }).map(one => (one ? { fallback: one } : {}))

const drawn = (id: string, targets: readonly string[], { tagId, flowIds }: Around): fc.Arbitrary<FlowNode> =>
  fc.oneof(
    fc
      .record({ text, fallback, typing: fc.constantFrom({}, {}, { typingMs: 2000 }) })
      .map(({ text, fallback, typing }): FlowNode => ({ ...at(id), type: 'message', text, ...fallback, ...typing })),
    fc
      .record({ text, timeoutMinutes, attempts: fc.integer({ min: 1, max: 3 }), fallback })
      .chain(({ fallback, ...part }) =>
        fc
          .record({
            answer: fc.constantFrom('number', 'text'),
            retry: fc.constantFrom({}, { retryText: '¿Otra vez?' }),
          })
          .map(
            ({ answer, retry }): FlowNode => ({
              ...at(id),
              ...{ type: 'question', answer, variable: 'v', ...part, ...fallback, ...retry },
            }),
          ),
      ),
    fc.record({ text, timeoutMinutes, fallback }).map(
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
      { ...at(id), type: 'archive' },
      { ...at(id), type: 'end' },
    ),
    fc.constantFrom<FlowNode>(
      { ...at(id), type: 'wait', amount: 1, unit: 'hours' },
      { ...at(id), type: 'wait', amount: 30, unit: 'hours' },
    ),
    fc.constantFrom<FlowNode>(
      { ...at(id), type: 'handoff', text: 'Ya viene {{flujo.v}}' },
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

/** Any graph of every kind of node, with the two others that it may run. */
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

/** Whatever a customer writes, and time that passes. */
export const anyHeard: fc.Arbitrary<Heard[]> = fc.array(
  fc.oneof(
    fc.constant<Heard>({ kind: 'time' }),
    fc
      .constantFrom('1', '2', 'Pan', 'facturas', 'no sé', '12,5', '7')
      .map((text): Heard => ({ kind: 'message', text })),
  ),
  { maxLength: 12 },
)
