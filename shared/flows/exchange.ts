import { type FlowGraph, type FlowNode, nodeKind } from './graph.ts'
import type { FlowTrigger } from './triggers/triggers.ts'
import type { WireGraph, WireNode, WireTrigger } from './wire.ts'

const origin = { x: 0, y: 0 }
const edgeId = (i: number) => `edge-${i + 1}`

/** The graph reduced to declared fields; defaults may be absent. */
export const keptGraph = ({ nodes, edges, notes }: WireGraph): WireGraph => ({
  nodes: nodes.map(({ id, type, position, data }) => ({
    id,
    type,
    position: position ?? origin,
    data: data ?? {},
  })) as WireNode[],
  edges: edges.map(({ id, source, sourceHandle, target }, i) => ({
    id: id ?? edgeId(i),
    source,
    sourceHandle: sourceHandle ?? 'next',
    target,
  })),
  ...(notes ? { notes: notes.map(({ id, position, text }) => ({ id, position: position ?? origin, text })) } : {}),
})

const readNode = ({ id, type, position, data }: WireNode): FlowNode => {
  const { defaults, read } = nodeKind({ type })
  const content = read ? read((data ?? {}) as never) : data
  return { ...defaults, ...content, id, type, ...(position ?? origin) } as FlowNode
}

const showNode = (node: FlowNode): WireNode => {
  const { id, type, x, y, ...content } = node
  const data = nodeKind(node).show?.(content as FlowNode) ?? content
  return { id, type, position: { x, y }, data } as WireNode
}

/** A graph as engine and editor use it: flat nodes, with the defaults of omitted fields. */
export const readGraph = ({ nodes, edges, notes }: WireGraph): FlowGraph => ({
  nodes: nodes.map(readNode),
  edges: edges.map(({ id, source, sourceHandle, target }, i) => ({
    id: id ?? edgeId(i),
    from: source,
    output: sourceHandle ?? 'next',
    to: target,
  })),
  ...(notes ? { notes: notes.map(({ id, position, text }) => ({ id, text, ...(position ?? origin) })) } : {}),
})

/** The inverse. */
export const showGraph = ({ nodes, edges, notes }: FlowGraph): WireGraph => ({
  nodes: nodes.map(showNode),
  edges: edges.map(({ id, from, output, to }) => ({ id, source: from, sourceHandle: output, target: to })),
  ...(notes ? { notes: notes.map(({ id, x, y, text }) => ({ id, position: { x, y }, text })) } : {}),
})

export const readTriggers = (triggers: readonly WireTrigger[]): FlowTrigger[] =>
  triggers.map((trigger, i) => {
    const id = trigger.id ?? `trigger-${i + 1}`
    if (trigger.kind === 'keyword')
      return { ...trigger, id, match: trigger.match === 'starts' ? 'startsWith' : trigger.match }
    return trigger.kind === 'webhook' ? { variables: [], ...trigger, id } : { ...trigger, id }
  })

export const showTriggers = (triggers: readonly FlowTrigger[]): WireTrigger[] =>
  triggers.map(
    trigger =>
      (trigger.kind === 'keyword'
        ? { ...trigger, match: trigger.match === 'startsWith' ? 'starts' : trigger.match }
        : trigger) as WireTrigger,
  )
