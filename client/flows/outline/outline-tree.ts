import { type FlowGraph, type FlowNode, indexGraph, outputsOf } from '#shared/flows/graph.ts'
import type { OutputPlace } from '../editor/draft/draft.ts'

/** The end of a path. */
export type Tail =
  /** Nothing follows yet. */
  | { readonly kind: 'open'; readonly place: OutputPlace }
  /** Marked as an end. */
  | { readonly kind: 'ends'; readonly place: OutputPlace }
  /** Continues at a step listed elsewhere. */
  | { readonly kind: 'joins'; readonly place: OutputPlace; readonly nodeId: string }
  /** Continues at the next step of the list around it. */
  | { readonly kind: 'continues'; readonly place: OutputPlace; readonly nodeId: string }
  /** The last step is an end, or its branches say how it goes on. */
  | { readonly kind: 'closed' }

export interface OutlineWay {
  readonly steps: readonly OutlineStep[]
  readonly tail: Tail
}
export interface OutlineBranch extends OutlineWay {
  readonly place: OutputPlace
}
export interface OutlineStep {
  readonly node: FlowNode
  /**
   * Empty for a step whose only output is `next`, which continues in the same list. Beside other outputs, `next` is the
   * first branch, without steps: readers see the usual way on before the exceptions.
   */
  readonly branches: readonly OutlineBranch[]
}
interface Outline {
  readonly main: OutlineWay
  /** Unconnected steps, each with what follows it. */
  readonly loose: readonly OutlineWay[]
}

/** A graph as nested lists: each node once, where it is first reached; later paths refer to it. */
export function outlineOf(graph: FlowGraph): Outline {
  const index = indexGraph(graph)
  const shown = new Set<string>()
  const wayFrom = (first: FlowNode): OutlineWay => {
    const steps: { node: FlowNode; branches: OutlineBranch[] }[] = []
    let tail: Tail = { kind: 'closed' }
    let node: FlowNode | undefined = first
    while (node) {
      shown.add(node.id)
      steps.push({ node, branches: [] })
      if (!outputsOf(node).includes('next')) break
      const follows: OutlineWay | FlowNode = follow(node, 'next')
      if ('tail' in follows) tail = follows.tail
      node = 'tail' in follows ? undefined : follows
    }
    // After the path itself, so that a node reached from two branches is listed on the path rather than in the first
    // branch.
    for (const [at, step] of steps.entries()) {
      const others = outputsOf(step.node).filter(output => output !== 'next')
      if (others.length && others.length < outputsOf(step.node).length) {
        const place = { from: step.node.id, output: 'next' }
        const following = steps[at + 1]?.node.id
        step.branches.push({
          place,
          steps: [],
          tail: following === undefined ? tail : { kind: 'continues', place, nodeId: following },
        })
        if (following === undefined) tail = { kind: 'closed' }
      }
      for (const output of others) {
        const follows = follow(step.node, output)
        step.branches.push({
          place: { from: step.node.id, output },
          ...('tail' in follows ? follows : wayFrom(follows)),
        })
      }
    }
    return { steps, tail }
  }
  const follow = (node: FlowNode, output: string): OutlineWay | FlowNode => {
    const place = { from: node.id, output }
    const next = index.after(node.id, output)
    if (next && !shown.has(next.id)) return next
    const tail: Tail = next
      ? { kind: 'joins', place, nodeId: next.id }
      : { kind: node.ends?.includes(output) ? 'ends' : 'open', place }
    return { steps: [], tail }
  }
  const start = index.start
  const main: OutlineWay = start ? wayFrom(start) : { steps: [], tail: { kind: 'closed' } }
  const led = new Set(graph.edges.map(({ to }) => to))
  const loose: OutlineWay[] = []
  // First those without a predecessor; what remains are cycles.
  for (const isBeginning of [true, false])
    for (const node of graph.nodes)
      if (!shown.has(node.id) && (!isBeginning || !led.has(node.id))) loose.push(wayFrom(node))
  return { main, loose }
}

/** Every node in the order of the outline. */
export const stepsInOrder = ({ main, loose }: Outline): string[] => {
  const ids: string[] = []
  const walk = ({ steps }: OutlineWay): void => {
    for (const { node, branches } of steps) {
      ids.push(node.id)
      for (const branch of branches) walk(branch)
    }
  }
  for (const way of [main, ...loose]) walk(way)
  return ids
}
