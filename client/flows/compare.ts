import type { FlowGraph, FlowNode } from '#shared/flow-graph.ts'

export interface Difference {
  readonly change: 'added' | 'removed' | 'changed'
  readonly node: FlowNode
}

/** What a node is, apart from where it stands on the canvas. */
const contentOf = (graph: FlowGraph, { x: _x, y: _y, ...node }: FlowNode): string => {
  const leads = graph.edges.filter(({ from }) => from === node.id).map(({ output, to }) => `${output} ${to}`)
  const sorted = Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([sorted, leads.sort()])
}

/** The steps in which two graphs differ: what they say, or where they lead. */
export function compareGraphs(before: FlowGraph, after: FlowGraph): Difference[] {
  const then = new Map(before.nodes.map(node => [node.id, node]))
  const now = new Set(after.nodes.map(({ id }) => id))
  return [
    ...after.nodes.flatMap((node): Difference[] => {
      const old = then.get(node.id)
      if (!old) return [{ change: 'added', node }]
      return contentOf(before, old) === contentOf(after, node) ? [] : [{ change: 'changed', node }]
    }),
    ...before.nodes.filter(({ id }) => !now.has(id)).map((node): Difference => ({ change: 'removed', node })),
  ]
}
