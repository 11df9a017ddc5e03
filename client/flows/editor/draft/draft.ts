import { readGraph, readTriggers, showGraph, showTriggers } from '#shared/flows/exchange.ts'
import {
  type FlowEdge,
  type FlowGraph,
  type FlowNode,
  type FlowNodeType,
  nodeKind,
  outputsOf,
} from '#shared/flows/graph.ts'
import { nodeKinds } from '#shared/flows/nodes/all.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'
import { newPartId } from './part-id.ts'

/** The part of a flow that the editor changes and saves together. */
export interface FlowDraft {
  readonly name: string
  readonly graph: FlowGraph
  readonly triggers: readonly FlowTrigger[]
}

/** A draft in the format of calls and files. */
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

/** The output of a step, where an edge begins. */
export interface OutputPlace {
  readonly from: string
  readonly output: string
}

/** The kinds that can be added, in the order of the palette. */
export type AddableType = Exclude<FlowNodeType, 'start'>
export const addableTypes = Object.keys(nodeKinds).filter(type => type !== 'start') as readonly AddableType[]

export const newNode = (type: AddableType, place: { x: number; y: number }): FlowNode => {
  const { create, defaults } = nodeKind({ type })
  return { ...(create?.(newPartId) ?? defaults), id: newPartId(), type, ...place } as FlowNode
}

/** The edge of an output; undefined: none. */
export const edgeAt = (graph: FlowGraph, { from, output }: OutputPlace): FlowEdge | undefined =>
  graph.edges.find(edge => edge.from === from && edge.output === output)

/**
 * The place of a step that is added after another one: its first open output, otherwise in its main connection.
 * Undefined: it has no output.
 */
export const nextPlace = (graph: FlowGraph, node: FlowNode): OutputPlace | undefined => {
  const places = outputsOf(node).map(output => ({ from: node.id, output }))
  return places.find(place => !edgeAt(graph, place) && !node.ends?.includes(place.output)) ?? places[0]
}

/** The output at which the flow continues after an inserted step: its first one. Undefined: it ends or jumps. */
export const mainOutput = (node: FlowNode): string | undefined => outputsOf(node)[0]
