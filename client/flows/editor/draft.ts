import { readGraph, readTriggers, showGraph, showTriggers } from '#shared/flows/exchange.ts'
import type { FlowEdge, FlowGraph, FlowNode, FlowNodeType, NodeOf } from '#shared/flows/graph.ts'
import { flowLimits, outputsOf } from '#shared/flows/graph.ts'
import type { FlowTrigger } from '#shared/flows/triggers.ts'
import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'
import { newPartId } from './part-id.ts'

/** What the editor changes and saves as one. */
export interface FlowDraft {
  readonly name: string
  readonly graph: FlowGraph
  readonly triggers: readonly FlowTrigger[]
}

/** A draft as calls and files hold it. */
export interface WrittenDraft {
  readonly name: string
  readonly graph: WireGraph
  readonly triggers: WireTrigger[]
}

export const readDraft = ({ name, graph, triggers }: WrittenDraft): FlowDraft => ({
  name,
  graph: readGraph(graph),
  triggers: readTriggers(triggers),
})
export const writeDraft = ({ name, graph, triggers }: FlowDraft): WrittenDraft => ({
  name,
  graph: showGraph(graph),
  triggers: showTriggers(triggers),
})

/** An end of an edge: where a step goes on. */
export interface OutputPlace {
  readonly from: string
  readonly output: string
}

type Content<T extends FlowNodeType> = Omit<NodeOf<T>, 'id' | 'x' | 'y' | 'name' | 'ends'>

const contents: { readonly [T in Exclude<FlowNodeType, 'start'>]: () => Content<T> } = {
  message: () => ({ type: 'message', text: '' }),
  template: () => ({ type: 'template', template: '', language: '', values: {} }),
  question: () => ({ type: 'question', text: '', answer: 'text', variable: '', attempts: 3, timeoutMinutes: 0 }),
  buttons: () => ({ type: 'buttons', text: '', options: [{ id: newPartId(), title: '' }], timeoutMinutes: 0 }),
  condition: () => ({ type: 'condition', all: true, rules: [] }),
  set: () => ({ type: 'set', variable: '', value: '' }),
  tag: () => ({ type: 'tag', action: 'add', tagId: '' }),
  wait: () => ({ type: 'wait', amount: 5, unit: 'minutes' }),
  http: () => ({
    ...{ type: 'http', method: 'GET', url: '', headers: [], send: 'nothing', body: '', form: [], map: [] },
    ...{ timeoutMs: flowLimits.callMs, mock: { status: 200, body: '' } },
  }),
  goto: () => ({ type: 'goto', nodeId: '' }),
  subflow: () => ({ type: 'subflow', flowId: '' }),
  handoff: () => ({ type: 'handoff' }),
  archive: () => ({ type: 'archive' }),
  end: () => ({ type: 'end' }),
}

/** What can be added, as the palette lists it. */
export type AddableType = keyof typeof contents
export const addableTypes = Object.keys(contents) as readonly AddableType[]

export const newNode = (type: AddableType, place: { x: number; y: number }): FlowNode =>
  ({ id: newPartId(), ...place, ...contents[type]() }) as FlowNode

/** What follows an output; undefined: nothing. */
export const edgeAt = (graph: FlowGraph, { from, output }: OutputPlace): FlowEdge | undefined =>
  graph.edges.find(edge => edge.from === from && edge.output === output)

/** Where a step that is put in between goes on: its first output, undefined where it ends or jumps. */
export const mainOutput = (node: FlowNode): string | undefined => outputsOf(node)[0]
