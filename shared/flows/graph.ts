import { Type } from 'typebox'
import { outboundLimits } from '#shared/outbound/api.ts'

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
  /** Of questions and conditions together. */
  patterns: 50,
  /** Thirty days. */
  timeoutMinutes: 43_200,
  waitDays: 999,
  /** Of a step that calls a service. */
  url: 2000,
  pairs: 20,
  kept: 20,
  callMs: 10_000,
  /** WhatsApp shows that somebody writes for 25 seconds at most. */
  typingMs: 20_000,
} as const

/** Of nodes, edges, options, notes and triggers; chosen by whoever draws, unique within the flow. */
export const PartId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' })
export const answerKinds = ['text', 'number', 'email', 'date', 'phone', 'pattern', 'file', 'location'] as const
/** What a message may show beside its words. */
export const flowMediaKinds = ['image', 'video', 'audio', 'document'] as const
/** Lies at a public address, from where WhatsApp fetches it. `name`: of a document. */
export interface FlowMedia {
  readonly kind: (typeof flowMediaKinds)[number]
  readonly url: string
  readonly name?: string
}
export type AnswerKind = (typeof answerKinds)[number]
export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** What a call takes along. */
export const httpBodies = ['nothing', 'json', 'form'] as const
export interface HttpPair {
  readonly name: string
  readonly value: string
}
/** The largest first. */
export const waitUnitMs = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 } as const
export type WaitUnit = keyof typeof waitUnitMs

/** What a variable is compared by; numbers where both sides are numbers, else folded text; patterns fit it as it is. */
type VariableTest =
  | 'equals'
  | 'notEquals'
  | 'contains'
  | 'notContains'
  | 'startsWith'
  | 'endsWith'
  | 'greater'
  | 'greaterOrEqual'
  | 'less'
  | 'lessOrEqual'
  | 'fitsPattern'
  | 'notFitsPattern'
  | 'isSet'
  | 'isEmpty'

/** One of: a variable, as between braces, with its test · a tag the contact carries or not · business hours · WhatsApp's window. */
export type FlowRule =
  | { readonly left: 'variable'; readonly name: string; readonly op: VariableTest; readonly value?: string }
  | { readonly left: 'tag'; readonly op: 'has' | 'hasNot'; readonly tagId: string }
  | { readonly left: 'hours'; readonly op: 'inside' | 'outside' }
  | { readonly left: 'window'; readonly op: 'open' | 'closed' }

interface FlowOption {
  readonly id: string
  readonly title: string
  readonly description?: string
}

/**
 * An approved template by its name. `values` by where they stand, `body.1`, `header.name`, `header.media` (a public
 * address), `header.fileName` (what a document there is called), `buttons.0`; each may hold variables.
 */
export interface TemplateChoice {
  readonly template: string
  readonly language: string
  readonly values: Readonly<Record<string, string>>
}

/** What says the same by a template while WhatsApp's window is closed. */
interface Speech {
  readonly text: string
  readonly fallback?: TemplateChoice
}

/** Texts may hold variables. `timeoutMinutes`: without an answer for so long it goes on at `timeout`; 0: no such output. */
type NodeContent =
  | { readonly type: 'start' }
  /** `typingMs`: so long the customer sees that somebody writes, before it is said. */
  | ({ readonly type: 'message'; readonly media?: FlowMedia; readonly typingMs?: number } & Speech)
  | ({ readonly type: 'template' } & TemplateChoice)
  | (Speech & {
      readonly type: 'question'
      readonly answer: AnswerKind
      /** Of the answer `pattern`. */
      readonly pattern?: string
      /** Empty in a draft that does not say yet. */
      readonly variable: string
      readonly retryText?: string
      readonly attempts: number
      readonly timeoutMinutes: number
    })
  | (Speech & {
      readonly type: 'buttons'
      /** One to three are buttons, four to ten a list. */
      readonly options: readonly FlowOption[]
      /** What opens the list. */
      readonly listLabel?: string
      readonly variable?: string
      readonly timeoutMinutes: number
    })
  /** `all`: every rule must hold, else one. */
  | { readonly type: 'condition'; readonly all: boolean; readonly rules: readonly FlowRule[] }
  /**
   * `contact`: instead of a variable, what the contact is called, or a line of the note about them. `formula`: the value
   * is what it comes to, see `formula.ts`.
   */
  | {
      readonly type: 'set'
      readonly variable: string
      readonly value: string
      readonly formula?: boolean
      readonly contact?: 'name' | 'note'
    }
  | { readonly type: 'tag'; readonly action: 'add' | 'remove'; readonly tagId: string }
  /** `until` instead: the next time the organization's clock shows this, HH:MM. */
  | { readonly type: 'wait'; readonly amount: number; readonly unit: WaitUnit; readonly until?: string }
  /**
   * Calls a service; its own texts alone may name secrets. `map`: what is kept of a JSON answer. `refusals`: an answer
   * of 400 to 499 goes on at an output of its own. `mock`: what it answers where the flow is tried.
   */
  | {
      readonly type: 'http'
      readonly method: (typeof httpMethods)[number]
      readonly url: string
      readonly headers: readonly HttpPair[]
      readonly send: (typeof httpBodies)[number]
      readonly body: string
      readonly form: readonly HttpPair[]
      readonly timeoutMs: number
      readonly map: readonly { readonly variable: string; readonly path: string }[]
      readonly mock: { readonly status: number; readonly body: string }
      readonly idempotencyKey?: boolean
      readonly refusals?: boolean
    }
  | { readonly type: 'goto'; readonly nodeId: string }
  /** Another live flow; what follows it follows here. */
  | { readonly type: 'subflow'; readonly flowId: string }
  | {
      readonly type: 'handoff'
      readonly teamId?: string
      readonly memberId?: string
      /** For the team. */
      readonly note?: string
      readonly text?: string
      /** Outside of business hours it goes on at `closed` instead. */
      readonly hours?: boolean
    }
  | { readonly type: 'archive' }
  | { readonly type: 'end' }

/** By which people see on the canvas what belongs together. */
export const stepColors = ['green', 'blue', 'amber', 'red', 'violet'] as const
export type StepColor = (typeof stepColors)[number]

interface NodeFrame {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly name?: string
  readonly color?: StepColor
  /** Outputs at which the flow is meant to end, though nothing follows. */
  readonly ends?: readonly string[]
}

/** A step of a flow. `outputsOf` says where it can go on. */
export type FlowNode = NodeContent extends infer C ? (C extends object ? NodeFrame & C : never) : never
export type FlowNodeType = FlowNode['type']
export type NodeOf<T extends FlowNodeType> = Extract<FlowNode, { type: T }>

export interface FlowEdge {
  readonly id: string
  readonly from: string
  readonly output: string
  readonly to: string
}

export interface FlowNote {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly text: string
}

/**
 * What is drawn, as the editor and the engine know it; on the wire it is `WireGraph`. Of each pair of node and output at
 * most one edge counts, the first.
 */
export interface FlowGraph {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly notes?: readonly FlowNote[]
}

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
    case 'http':
      return ['next', ...(node.refusals ? ['refused'] : []), 'error']
    case 'handoff':
      return node.hours ? ['closed'] : []
    case 'goto':
    case 'archive':
    case 'end':
      return []
    default:
      return ['next']
  }
}

/** Whether a session stays at it until something comes from outside. */
export const isWaiting = ({ type }: FlowNode): boolean =>
  type === 'question' || type === 'buttons' || type === 'wait' || type === 'http'

/** A graph with its parts by name. */
export interface GraphIndex {
  readonly start: FlowNode | undefined
  node(id: string): FlowNode | undefined
  /** What follows an output; undefined: nothing. */
  after(nodeId: string, output: string): FlowNode | undefined
  /** Where another flow begins; undefined: it is not live. */
  startOf(flowId: string): FlowNode | undefined
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
    startOf: () => undefined,
  }
}
