import { type FlowGraph, type FlowNode, type GraphIndex, indexGraph } from './graph.ts'

/** So many flows may be inside one another. */
export const mostInside = 5
/** So many flows may be reached from one. */
export const mostJoined = 20

/** What others know of a live flow: which flows it runs, and which variables it gives a value. */
export interface LiveFlowFacts {
  readonly id: string
  readonly calls: readonly string[]
  readonly variables: readonly string[]
}

export interface JoinedFlow {
  readonly flowId: string
  readonly version: number
  readonly graph: FlowGraph
}

/** How a node of another flow is known to a session: it stays on the version it came into. */
const insideId = (flowId: string, version: number, nodeId: string): string => `${flowId}@${version}/${nodeId}`
const inside = /^([^@]+)@(\d+)\/(.+)$/

/** Undefined: a node of the flow itself. */
export const readInside = (id: string): { flowId: string; version: number; nodeId: string } | undefined => {
  const [, flowId = '', version, nodeId = ''] = inside.exec(id) ?? []
  return version === undefined ? undefined : { flowId, version: Number(version), nodeId }
}

/** Flows that a graph runs. */
export const calledBy = ({ nodes }: FlowGraph): string[] => [
  ...new Set(nodes.flatMap(node => (node.type === 'subflow' && node.flowId ? [node.flowId] : []))),
]

/** Flows that are reached from these, with how deep they are; what is met again on its own way is not gone into again. */
export function reachedFrom(calls: readonly string[], live: readonly LiveFlowFacts[]): ReadonlyMap<string, number> {
  const known = new Map(live.map(flow => [flow.id, flow]))
  const depths = new Map<string, number>()
  let next = [...new Set(calls)]
  // Whoever goes round is found before so many levels; a flow deeper than that is too deep anyway.
  for (let depth = 1; next.length && depth <= mostInside + 1; depth += 1) {
    for (const id of next) depths.set(id, depth)
    next = [...new Set(next.flatMap(id => known.get(id)?.calls ?? []))]
  }
  return depths
}

/** Variables that flows inside give a value. */
export const variablesInside = (graph: FlowGraph, live: readonly LiveFlowFacts[]): string[] => {
  const reached = reachedFrom(calledBy(graph), live)
  return [...new Set(live.filter(({ id }) => reached.has(id)).flatMap(({ variables }) => variables))]
}

const renamed = ({ flowId, version, graph }: JoinedFlow): Pick<FlowGraph, 'nodes' | 'edges'> => {
  const name = (id: string) => insideId(flowId, version, id)
  return {
    nodes: graph.nodes.map(
      (node): FlowNode => ({
        ...node,
        id: name(node.id),
        ...(node.type === 'goto' ? { nodeId: name(node.nodeId) } : {}),
      }),
    ),
    edges: graph.edges.map(edge => ({ ...edge, from: name(edge.from), to: name(edge.to) })),
  }
}

/** A flow with those inside it as one graph. `live`: the version in which one is entered. */
export function joinFlows(
  root: FlowGraph,
  flows: readonly JoinedFlow[],
  live: ReadonlyMap<string, number>,
): { graph: FlowGraph; index: GraphIndex } {
  const parts = flows.map(renamed)
  const graph = {
    nodes: [...root.nodes, ...parts.flatMap(({ nodes }) => nodes)],
    edges: [...root.edges, ...parts.flatMap(({ edges }) => edges)],
  }
  const index = indexGraph(graph)
  const starts = new Map<string, FlowNode>()
  for (const node of graph.nodes) {
    const at = node.type === 'start' ? readInside(node.id) : undefined
    if (at && live.get(at.flowId) === at.version) starts.set(at.flowId, node)
  }
  return { graph, index: { ...index, startOf: flowId => starts.get(flowId) } }
}
