import type { Node, NodeHandle, Position } from '@xyflow/react'
import { type FlowGraph, type FlowNode, kindOf, outputsOf } from '#shared/flows/graph.ts'

/** From so many steps on the canvas draws those alone that are in sight, and begins where the flow begins. */
const many = 60
export const isLarge = (graph: Pick<FlowGraph, 'nodes'>): boolean => graph.nodes.length > many

// By name: its own file is the canvas's alone.
const [left, right] = ['left' as Position.Left, 'right' as Position.Right]
/** As the canvas's style has them. */
export const stepWidthPx = 280
const [edge, head, line, bubble, output] = [11, 28, 18, 22, 30]
const charsOfLine = 36
const mostLines = 4

const linesOf = (text: string): number =>
  text.split('\n').reduce((lines, one) => lines + Math.max(1, Math.ceil(one.length / charsOfLine)), 0)

/** What is said stands in a bubble; anything else a step says is taken for one line. */
const saidHeight = (node: FlowNode): number => {
  const { isSpoken, isBare, speech } = kindOf(node)
  const text = speech?.(node)
  const bubbleHeight = text === undefined ? 0 : bubble + line * Math.min(mostLines, linesOf(text))
  if (isSpoken) return bubbleHeight
  return isBare?.(node) ? 0 : line + 8 + bubbleHeight
}

/** As the canvas takes it. */
interface RoughSize {
  readonly measured: { readonly width: number; readonly height: number }
  readonly handles: NodeHandle[]
}

/**
 * How large a step will be, before it was ever drawn: else the canvas would draw each of hundreds once to find out. No
 * step is so high, by half a pixel: what is drawn and measured counts as changed.
 */
export function roughSize(node: FlowNode): RoughSize {
  const outputs = outputsOf(node)
  const said = saidHeight(node)
  const above = edge + head + said + (said ? 0 : 4)
  const height = above + output * outputs.length + edge + 0.5
  const handles: NodeHandle[] = outputs.map((id, i) => ({
    ...{ id, type: 'source', position: right },
    ...{ x: stepWidthPx, y: above + output * (i + 0.5) + 1 },
  }))
  if (node.type !== 'start') handles.push({ type: 'target', position: left, x: 0, y: height / 2 })
  return { measured: { width: stepWidthPx, height }, handles }
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
