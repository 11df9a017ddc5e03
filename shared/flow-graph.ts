import { type Static, Type } from 'typebox'
import { outboundLimits } from './outbound.ts'

/** Most of everything a flow may have; a text a customer gets has WhatsApp's own limits, see `problemsOf`. */
export const flowLimits = {
  nodes: 500,
  edges: 2000,
  notes: 100,
  triggers: 20,
  text: 4096,
  name: 80,
  options: outboundLimits.rows,
  rules: 20,
  attempts: 5,
  /** Thirty days. */
  timeoutMinutes: 43_200,
} as const

const closed = { additionalProperties: false } as const

/** Of nodes, edges, options, notes and triggers; chosen by whoever draws, unique within the flow. */
export const PartId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' })
/** How a flow's own variable is called: `{{flujo.NAME}}`. Empty in a draft that does not say yet. */
const VariableName = Type.String({ pattern: '^([a-z][a-z0-9_]{0,39})?$' })

const ClockTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM, 24 hours.' })
const Place = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })
const Text = Type.String({
  maxLength: flowLimits.text,
  description: 'May hold variables, such as {{contacto.nombre}}.',
})
const Reference = Type.String({ maxLength: 64 })
const TimeoutMinutes = Type.Integer({
  minimum: 0,
  maximum: flowLimits.timeoutMinutes,
  description: 'Without an answer for so long it goes on at `timeout`; 0: no such output, the session expires.',
})

const answerKinds = ['text', 'number', 'email', 'date', 'phone', 'pattern'] as const
export type AnswerKind = (typeof answerKinds)[number]
const waitUnits = ['seconds', 'minutes', 'hours', 'days'] as const
export type WaitUnit = (typeof waitUnits)[number]

/** What a variable is compared by; numbers where both sides are numbers, else folded text. */
const variableTests = [
  'equals',
  'notEquals',
  'contains',
  'startsWith',
  'endsWith',
  'greater',
  'less',
  'isSet',
  'isEmpty',
] as const

/** One of: a variable with its test · a tag the contact carries or not · business hours · WhatsApp's window. */
export const FlowRule = Type.Union([
  Type.Object(
    {
      left: Type.Literal('variable'),
      name: Type.String({ maxLength: 60, description: 'As between braces: `flujo.x`, `contacto.nombre`.' }),
      op: Type.Enum(variableTests),
      value: Type.Optional(Text),
    },
    closed,
  ),
  Type.Object({ left: Type.Literal('tag'), op: Type.Enum(['has', 'hasNot']), tagId: Reference }, closed),
  Type.Object({ left: Type.Literal('hours'), op: Type.Enum(['inside', 'outside']) }, closed),
  Type.Object({ left: Type.Literal('window'), op: Type.Enum(['open', 'closed']) }, closed),
])
export type FlowRule = Static<typeof FlowRule>

const FlowOption = Type.Object(
  { id: PartId, title: Type.String({ maxLength: 80 }), description: Type.Optional(Type.String({ maxLength: 200 })) },
  closed,
)

const nodeOf = <const K extends string, F extends Parameters<typeof Type.Object>[0]>(type: K, fields: F) =>
  Type.Object(
    {
      id: PartId,
      x: Place,
      y: Place,
      name: Type.Optional(Type.String({ maxLength: flowLimits.name })),
      ends: Type.Optional(
        Type.Array(Type.String({ maxLength: 40 }), {
          maxItems: 20,
          description: 'Outputs at which the flow is meant to end, though nothing follows.',
        }),
      ),
      type: Type.Literal(type),
      ...fields,
    },
    closed,
  )

/** A step of a flow. `outputsOf` says where it can go on. */
export const FlowNode = Type.Union([
  nodeOf('start', {}),
  nodeOf('message', { text: Text }),
  nodeOf('question', {
    text: Text,
    answer: Type.Enum(answerKinds),
    pattern: Type.Optional(Type.String({ maxLength: 200, description: 'Of the answer `pattern`.' })),
    variable: VariableName,
    retryText: Type.Optional(Text),
    attempts: Type.Integer({ minimum: 1, maximum: flowLimits.attempts }),
    timeoutMinutes: TimeoutMinutes,
  }),
  nodeOf('buttons', {
    text: Text,
    options: Type.Array(FlowOption, {
      maxItems: flowLimits.options,
      description: 'One to three are buttons, four to ten a list.',
    }),
    listLabel: Type.Optional(Type.String({ maxLength: 80, description: 'What opens the list.' })),
    variable: Type.Optional(VariableName),
    timeoutMinutes: TimeoutMinutes,
  }),
  nodeOf('condition', {
    all: Type.Boolean({ description: 'True: every rule must hold, else one.' }),
    rules: Type.Array(FlowRule, { maxItems: flowLimits.rules }),
  }),
  nodeOf('set', { variable: VariableName, value: Text }),
  nodeOf('tag', { action: Type.Enum(['add', 'remove']), tagId: Reference }),
  nodeOf('wait', {
    amount: Type.Integer({ minimum: 1, maximum: 999 }),
    unit: Type.Enum(waitUnits),
    until: Type.Optional(
      Type.Union([ClockTime], { description: "Instead: the next time the organization's clock shows this." }),
    ),
  }),
  nodeOf('goto', { nodeId: Type.String({ maxLength: 40 }) }),
  nodeOf('handoff', {
    teamId: Type.Optional(Reference),
    memberId: Type.Optional(Reference),
    note: Type.Optional(Type.String({ maxLength: 1000, description: 'For the team; may hold variables.' })),
    text: Type.Optional(Text),
  }),
  nodeOf('archive', {}),
  nodeOf('end', {}),
])
export type FlowNode = Static<typeof FlowNode>
export type FlowNodeType = FlowNode['type']
export type NodeOf<T extends FlowNodeType> = Extract<FlowNode, { type: T }>

export const FlowEdge = Type.Object(
  { id: PartId, from: PartId, output: Type.String({ minLength: 1, maxLength: 40 }), to: PartId },
  closed,
)
export type FlowEdge = Static<typeof FlowEdge>

const FlowNote = Type.Object({ id: PartId, x: Place, y: Place, text: Type.String({ maxLength: 1000 }) }, closed)

/** What is drawn: of each pair of node and output at most one edge counts, the first. */
export const FlowGraph = Type.Object(
  {
    nodes: Type.Array(FlowNode, { maxItems: flowLimits.nodes }),
    edges: Type.Array(FlowEdge, { maxItems: flowLimits.edges }),
    notes: Type.Optional(Type.Array(FlowNote, { maxItems: flowLimits.notes })),
  },
  closed,
)
export type FlowGraph = Static<typeof FlowGraph>

/** A flow nobody has drawn yet. */
export const emptyGraph = (): FlowGraph => ({ nodes: [{ id: 'start', type: 'start', x: 0, y: 0 }], edges: [] })

/** Where a node can go on, in the order it shows them; an option's output is the option's id. Empty: the flow ends here or jumps. */
export function outputsOf(node: FlowNode): readonly string[] {
  switch (node.type) {
    case 'question':
      return ['next', 'invalid', ...(node.timeoutMinutes ? ['timeout'] : [])]
    case 'buttons':
      return [...node.options.map(({ id }) => id), 'other', ...(node.timeoutMinutes ? ['timeout'] : [])]
    case 'condition':
      return ['yes', 'no']
    case 'goto':
    case 'handoff':
    case 'archive':
    case 'end':
      return []
    default:
      return ['next']
  }
}

/** Whether a session stays at it until something comes from outside. */
export const isWaiting = ({ type }: FlowNode): boolean => type === 'question' || type === 'buttons' || type === 'wait'

/** A graph with its parts by name. */
export interface GraphIndex {
  readonly start: FlowNode | undefined
  node(id: string): FlowNode | undefined
  /** What follows an output; undefined: nothing. */
  after(nodeId: string, output: string): FlowNode | undefined
}

export function indexGraph(graph: FlowGraph): GraphIndex {
  const nodes = new Map<string, FlowNode>()
  for (const node of graph.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node)
  const targets = new Map<string, string>()
  for (const { from, output, to } of graph.edges) {
    const key = `${from} ${output}`
    if (!targets.has(key)) targets.set(key, to)
  }
  return {
    start: graph.nodes.find(({ type }) => type === 'start'),
    node: id => nodes.get(id),
    after: (nodeId, output) => nodes.get(targets.get(`${nodeId} ${output}`) ?? ''),
  }
}
