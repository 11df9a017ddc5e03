import { readGraph, readTriggers, showGraph, showTriggers } from '#shared/flows/exchange.ts'
import {
  type FlowEdge,
  type FlowGraph,
  type FlowNode,
  type FlowNodeType,
  kindOf,
  outputsOf,
} from '#shared/flows/graph.ts'
import { nodeKinds } from '#shared/flows/nodes/all.ts'
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

/** What can be added, in the order of the palette. */
export type AddableType = Exclude<FlowNodeType, 'start'>
export const addableTypes = Object.keys(nodeKinds).filter(type => type !== 'start') as readonly AddableType[]

export const newNode = (type: AddableType, place: { x: number; y: number }): FlowNode => {
  const { create, defaults } = kindOf({ type })
  return { ...(create?.(newPartId) ?? defaults), id: newPartId(), type, ...place } as FlowNode
}

/** What follows an output; undefined: nothing. */
export const edgeAt = (graph: FlowGraph, { from, output }: OutputPlace): FlowEdge | undefined =>
  graph.edges.find(edge => edge.from === from && edge.output === output)

/** Where a step that is put in between goes on: its first output, undefined where it ends or jumps. */
export const mainOutput = (node: FlowNode): string | undefined => outputsOf(node)[0]
