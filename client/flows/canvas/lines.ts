import type { FlowEdge, FlowGraph, FlowNode } from '#shared/flows/graph.ts'

/** Outputs that customers rarely take. */
const exceptions: ReadonlySet<string> = new Set(['other', 'invalid', 'timeout', 'error', 'refused', 'closed'])

/** Edges that are not drawn as usual lines. */
export interface DrawnEdges {
  /** A label on the output instead of a line, by edge id. */
  readonly labels: ReadonlySet<string>
  /** Steps whose `next` goes down to the step below. */
  readonly down: ReadonlySet<string>
}

/** Columns may differ by this much and still count as one, in canvas pixels. */
const aside = 24

/** An exception to a step that other lines reach is a label, so that lines show the usual way only. */
const labelsOf = ({ edges }: FlowGraph): ReadonlySet<string> => {
  const reached = new Set(edges.flatMap(({ output, to }) => (exceptions.has(output) ? [] : [to])))
  const labels = new Set<string>()
  for (const { id, output, to } of edges) {
    if (!exceptions.has(output)) continue
    if (reached.has(to)) labels.add(id)
    reached.add(to)
  }
  return labels
}

export function drawnEdges(graph: FlowGraph): DrawnEdges {
  const labels = labelsOf(graph)
  const nodes = new Map(graph.nodes.map(node => [node.id, node]))
  const goesDown = ({ from, output, to }: FlowEdge): boolean => {
    const [source, target] = [nodes.get(from), nodes.get(to)]
    if (output !== 'next' || !source || !target || Math.abs(source.x - target.x) > aside) return false
    if (target.y <= source.y) return false
    return !graph.nodes.some(
      ({ id, x, y }) => id !== from && id !== to && Math.abs(x - source.x) < 200 && y > source.y && y < target.y,
    )
  }
  return { labels, down: new Set(graph.edges.flatMap(edge => (goesDown(edge) ? [edge.from] : []))) }
}

/** Edges that are drawn as a line, without those back to an earlier step. */
export const edgesWithLine = (graph: FlowGraph): readonly FlowEdge[] => {
  const labels = labelsOf(graph)
  return graph.edges.filter(({ id }) => !labels.has(id))
}

/** The target of an output that is drawn as a label. */
export interface OutputLabel {
  readonly output: string
  readonly to: string
  readonly title: string
  readonly type: FlowNode['type']
}

/** The labels of all steps, by step id. */
export function outputLabels(
  graph: FlowGraph,
  { labels }: Pick<DrawnEdges, 'labels'>,
  titleOf: (node: FlowNode) => string,
): ReadonlyMap<string, OutputLabel[]> {
  const nodes = new Map(graph.nodes.map(node => [node.id, node]))
  const found = graph.edges.flatMap(({ id, from, output, to }) => {
    const target = labels.has(id) ? nodes.get(to) : undefined
    return target ? [{ from, output, to, title: titleOf(target), type: target.type }] : []
  })
  return Map.groupBy(found, ({ from }) => from)
}
