import { type Node, type NodeHandle, Position } from '@xyflow/react'
import { type FlowGraph, type FlowNode, outputsOf } from '#shared/flow-graph.ts'

/** From so many steps on the canvas draws those alone that are in sight, and begins where the flow begins. */
const many = 60
export const isLarge = (graph: Pick<FlowGraph, 'nodes'>): boolean => graph.nodes.length > many

const [width, head, line, output] = [280, 44, 20, 30]
const charsOfLine = 36

/**
 * How large a step will be, before it was ever drawn: else the canvas would draw each of hundreds once to find out. No
 * step is so high, by half a pixel: what is drawn and measured counts as changed.
 */
export function roughSize(node: FlowNode): Required<Pick<Node, 'measured' | 'handles'>> {
  const outputs = outputsOf(node)
  const text = 'text' in node ? node.text : ''
  const above = head + (text ? 24 + line * Math.min(4, Math.ceil(text.length / charsOfLine)) : line)
  const height = above + output * outputs.length + 0.5
  const handles: NodeHandle[] = outputs.map((id, i) => ({
    ...{ id, type: 'source', position: Position.Right },
    ...{ x: width, y: above + output * (i + 0.5) },
  }))
  if (node.type !== 'start') handles.push({ type: 'target', position: Position.Left, x: 0, y: height / 2 })
  return { measured: { width, height }, handles }
}

/** What was drawn has its own size and ends from now on. */
export const withoutGuess = <N extends Node>(nodes: N[], drawn: ReadonlySet<string>): N[] =>
  drawn.size
    ? nodes.map(node => {
        if (!node.handles || !drawn.has(node.id)) return node
        const { handles: _, ...rest } = node
        return rest as N
      })
    : nodes
