import { useMemo } from 'react'
import { type FlowGraph, outputsOf } from '#shared/flows/graph.ts'
import type { Shown } from './canvas-nodes.ts'
import type { DrawnEdges } from './lines.ts'
import { waysOf } from './ways.ts'

/** The lines between the steps. They are planned again when a step moves, grows, or gets another output. */
export const useWays = (graph: FlowGraph, drawn: DrawnEdges, nodes: readonly Shown[]) => {
  // Compared as a text, because each rendering has new objects.
  const measured = nodes.flatMap(({ id, measured }) => (measured?.height ? [`${id} ${measured.height}`] : [])).join()
  const heights = useMemo(
    () =>
      new Map(
        measured.split(',').map(one => {
          const [id = '', height] = one.split(' ')
          return [id, Number(height)] as const
        }),
      ),
    [measured],
  )
  // Typing changes the graph with every letter, but seldom this.
  const shape = JSON.stringify([
    graph.nodes.map(node => [node.id, node.x, node.y, outputsOf(node), node.ends]),
    graph.edges,
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines depend on nothing else of the graph
  return useMemo(() => waysOf(graph, drawn, heights), [shape, heights])
}
