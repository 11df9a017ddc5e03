import type { Node, NodeHandle, Position } from '@xyflow/react'
import { type FlowGraph, type FlowNode, kindOf, outputsOf } from '#shared/flows/graph.ts'

/** A flow with at least this many steps renders only visible steps, and opens at its start. */
const many = 60
export const isLarge = (graph: Pick<FlowGraph, 'nodes'>): boolean => graph.nodes.length > many

// As strings, because importing the library's enum would load the canvas's file.
const [left, right] = ['left' as Position.Left, 'right' as Position.Right]
/** The sizes of the canvas's stylesheet. */
export const stepWidthPx = 280
const [edge, head, line, bubble, output] = [11, 28, 18, 22, 30]
const charsOfLine = 36
const maxLines = 4

const linesOf = (text: string): number =>
  text.split('\n').reduce((lines, one) => lines + Math.max(1, Math.ceil(one.length / charsOfLine)), 0)

/** A sent text has a bubble; any other text counts as one line. */
const saidHeight = (node: FlowNode): number => {
  const { isSpoken, isBare, speech } = kindOf(node)
  const text = speech?.(node)
  const bubbleHeight = text === undefined ? 0 : bubble + line * Math.min(maxLines, linesOf(text))
  if (isSpoken) return bubbleHeight
  return isBare?.(node) ? 0 : line + 8 + bubbleHeight
}

/** In the library's form. */
interface RoughSize {
  readonly measured: { readonly width: number; readonly height: number }
  readonly handles: NodeHandle[]
}

/**
 * The estimated size of a step before its first rendering; otherwise the canvas would render each of hundreds once to
 * measure it. The half pixel makes it differ from every real height, so that a rendered step counts as changed.
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

/** Rendered nodes use their real size and handles from now on. */
export const withoutGuess = <N extends Node>(nodes: N[], drawn: ReadonlySet<string>): N[] =>
  drawn.size
    ? nodes.map(node => {
        if (!node.handles || !drawn.has(node.id)) return node
        const { handles: _, ...rest } = node
        return rest as N
      })
    : nodes
