import type { Node, NodeHandle, Position } from '@xyflow/react'
import { type FlowGraph, type FlowNode, nodeKind, outputsOf } from '#shared/flows/graph.ts'

/** A flow with at least this many steps renders only visible steps, and opens at its start. */
const many = 60
export const isLarge = (graph: Pick<FlowGraph, 'nodes'>): boolean => graph.nodes.length > many

// As strings, because importing the library's enum would load the canvas's file.
const [left, right, bottom] = ['left' as Position.Left, 'right' as Position.Right, 'bottom' as Position.Bottom]
/** The sizes of the canvas's stylesheet. */
export const stepWidthPx = 240
/** Edges arrive this far below a step's top: at the middle of its head. */
export const entryPx = 19
const [border, head, line, bubble, tap, row, foot] = [2, 36, 19, 23, 32, 28, 4]
const charsOfLine = 27
const maxLines = 4

const linesOf = (text: string): number =>
  text.split('\n').reduce((lines, one) => lines + Math.max(1, Math.ceil(one.length / charsOfLine)), 0)

/** The outputs of a card: those on a button that the customer taps, and those on a row that only authors see. */
interface CardOutputs {
  readonly taps: readonly string[]
  readonly rows: readonly string[]
  /** The output that leaves at the card itself. Undefined: none. */
  readonly bare: string | undefined
}

/** `isDown`: `next` leaves at the bottom, to the step below. */
export function cardOutputs(node: FlowNode, isDown: boolean): CardOutputs {
  const outputs = outputsOf(node)
  const taps = node.type === 'buttons' ? node.options.map(({ id }) => id) : []
  const isAlone = outputs.length === 1 && !node.ends?.includes('next')
  const bare = outputs.includes('next') && (isDown || isAlone) ? 'next' : undefined
  return { taps, rows: outputs.filter(output => !taps.includes(output) && output !== bare), bare }
}

/** A sent text has a bubble; any other text counts as one line. */
const saidHeight = (node: FlowNode, taps: number): number => {
  const { sendsMessage, isBare, messageText } = nodeKind(node)
  const text = messageText?.(node)
  const bubbleHeight = text === undefined ? 0 : bubble + line * Math.min(maxLines, linesOf(text)) + tap * taps
  if (sendsMessage) return bubbleHeight
  return isBare?.(node) ? 0 : line + 8 + bubbleHeight
}

const rowsHeight = (rows: number): number => (rows ? row * rows + foot : 0)

/** Each output of a card leaves this far below its top. Exact, because below the text every part has a fixed height. */
export function outputHeights({ taps, rows, bare }: CardOutputs, height: number): ReadonlyMap<string, number> {
  const below = 1 + rowsHeight(rows.length)
  return new Map([
    ...taps.map((id, i) => [id, height - below - 8 - tap * (taps.length - i - 0.5)] as const),
    ...rows.map((id, i) => [id, height - below + row * (i + 0.5)] as const),
    ...(bare ? [[bare, entryPx] as const] : []),
  ])
}

/** A size in the library's form. */
interface RoughSize {
  readonly measured: { readonly width: number; readonly height: number }
  readonly handles: NodeHandle[]
}

/**
 * The estimated size of a step before its first rendering; otherwise the canvas would render each of hundreds once to
 * measure it. The half pixel makes it differ from every real height, so that a rendered step counts as changed.
 */
export function roughSize(node: FlowNode, isDown = false): RoughSize {
  const outputs = cardOutputs(node, isDown)
  const height = border + head + saidHeight(node, outputs.taps.length) + rowsHeight(outputs.rows.length) + 0.5
  const handles: NodeHandle[] = [...outputHeights(outputs, height)].map(([id, y]) =>
    isDown && id === outputs.bare
      ? { id, type: 'source', position: bottom, x: stepWidthPx / 2, y: height }
      : { id, type: 'source', position: right, x: stepWidthPx, y },
  )
  if (node.type !== 'start') handles.push({ type: 'target', position: left, x: 0, y: entryPx })
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
