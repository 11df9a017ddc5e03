import { type FlowGraph, type FlowNode, type GraphIndex, indexGraph, renamedNode } from './graph.ts'

export interface JoinedFlow {
  readonly flowId: string
  readonly version: number
  readonly graph: FlowGraph
}

/** The id of a subflow's node within a session, which stays on the version it entered. */
const insideId = (flowId: string, version: number, nodeId: string): string => `${flowId}@${version}/${nodeId}`
const inside = /^([^@]+)@(\d+)\/(.+)$/

/** Undefined: a node of the flow itself. */
export const readInside = (id: string): { flowId: string; version: number; nodeId: string } | undefined => {
  const [, flowId = '', version, nodeId = ''] = inside.exec(id) ?? []
  return version === undefined ? undefined : { flowId, version: Number(version), nodeId }
}

const renamed = ({ flowId, version, graph }: JoinedFlow): Pick<FlowGraph, 'nodes' | 'edges'> => {
  const name = (id: string) => insideId(flowId, version, id)
  return {
    nodes: graph.nodes.map(node => renamedNode(node, name)),
    edges: graph.edges.map(edge => ({ ...edge, from: name(edge.from), to: name(edge.to) })),
  }
}

/** A flow joined with its subflows into one graph. `live`: the version in which a subflow is entered. */
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
