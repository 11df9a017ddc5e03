import { nodeKinds } from './nodes/all.ts'
import type { NodeFrame, NodeKind, NodeUses } from './nodes/kind.ts'

type Kinds = typeof nodeKinds
export type FlowNodeType = keyof Kinds
/** A node of one kind: its frame and its content, see `nodes/`. */
export type NodeOf<T extends FlowNodeType> = {
  [K in T]: NodeFrame & { readonly type: K } & (Kinds[K] extends NodeKind<infer Content> ? Content : never)
}[T]
/** A step of a flow. `outputsOf` names its outputs. */
export type FlowNode = { [T in FlowNodeType]: NodeOf<T> }[FlowNodeType]

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
 * The graph as editor and engine use it; calls and files have `WireGraph`. Only the first edge counts for each node and
 * output.
 */
export interface FlowGraph {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly notes?: readonly FlowNote[]
}

/** The graph of a new flow. */
export const emptyGraph = (): FlowGraph => ({ nodes: [{ id: 'start', type: 'start', x: 0, y: 0 }], edges: [] })

/** The definition of a node's kind. */
export const nodeKind = ({ type }: { readonly type: FlowNodeType }): NodeKind<FlowNode> =>
  nodeKinds[type] as unknown as NodeKind<FlowNode>

/** The outputs of a node in display order. Empty: the flow ends here or jumps. */
export const outputsOf = (node: FlowNode): readonly string[] => nodeKind(node).outputs?.(node) ?? ['next']

export const usesOf = (node: FlowNode): NodeUses => nodeKind(node).uses?.(node) ?? {}

/** A session waits at such a node for an input from outside. */
export const isWaiting = (node: FlowNode): boolean => nodeKind(node).waits === true

/** A node with renamed ids: its own, and that of the node it jumps to. */
export function renamedNode(node: FlowNode, rename: (id: string) => string): FlowNode {
  const { jumpsTo, withJump } = nodeKind(node)
  const moved = { ...node, id: rename(node.id) }
  return jumpsTo && withJump ? (withJump(moved, rename(jumpsTo(node))) as FlowNode) : moved
}

/** A graph with lookups by id. */
export interface GraphIndex {
  readonly start: FlowNode | undefined
  node(id: string): FlowNode | undefined
  /** The node after an output; undefined: none. */
  after(nodeId: string, output: string): FlowNode | undefined
  /** The first node of another flow; undefined: it is not live. */
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
