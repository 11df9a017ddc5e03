import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import { leadsTo } from '../step-words.ts'
import { type FlowsT, jumpText, titleOf } from '../words.ts'
import type { CanvasNode } from './canvas-node.tsx'
import type { CanvasNote } from './canvas-note.tsx'
import { drawnEdges, type OutputLabel, outputLabels } from './lines.ts'
import { isLarge, roughSize } from './rough-size.ts'

export type Shown = CanvasNode | CanvasNote

/** Notes are behind the steps. */
const notesOf = (t: FlowsT, graph: FlowGraph, selected: readonly string[], before: readonly Shown[]): CanvasNote[] =>
  (graph.notes ?? []).map(note => {
    const old = before.find((one): one is CanvasNote => one.type === 'note' && one.id === note.id)
    const isSelected = selected.includes(note.id)
    if (old?.data.note === note && old.selected === isSelected) return old
    return {
      ...old,
      id: note.id,
      type: 'note',
      position: { x: note.x, y: note.y },
      data: { note },
      zIndex: -1,
      ariaLabel: t('canvas.note'),
      selected: isSelected,
    }
  })

const noLabels: readonly OutputLabel[] = []
const sameLabels = (a: readonly OutputLabel[], b: readonly OutputLabel[]): boolean =>
  a.length === b.length &&
  a.every((one, i) => one.to === b[i]?.to && one.output === b[i]?.output && one.title === b[i]?.title)

interface StepsShown {
  readonly names: FlowNames
  /** True if the graph is the beginning of a large one. */
  readonly isPartOfMany: boolean
}

/** The canvas nodes of steps. An unchanged step keeps its object, so that it does not render again. */
const stepsOf = (
  t: FlowsT,
  graph: FlowGraph,
  selected: readonly string[],
  before: readonly Shown[],
  { names, isPartOfMany }: StepsShown,
): CanvasNode[] => {
  const known = new Map(before.flatMap(one => (one.type === 'step' ? [[one.id, one] as const] : [])))
  // Each kind is translated once, not for each of hundreds of steps.
  const kinds = new Map<FlowNode['type'], string>()
  const nameOf = (node: FlowNode): string => {
    if (node.name) return node.name
    const kind = kinds.get(node.type) ?? titleOf(t, node)
    kinds.set(node.type, kind)
    return kind
  }
  const chosen = new Set(selected)
  const outputs = Map.groupBy(graph.edges, ({ from }) => from)
  const drawn = drawnEdges(graph)
  const labelled = outputLabels(graph, drawn, node => leadsTo(t, node, names))
  return graph.nodes.map(node => {
    const connected = (outputs.get(node.id) ?? []).map(({ output }) => output)
    const old = known.get(node.id)
    const isSelected = chosen.has(node.id)
    const leads = jumpText(t, node, graph)
    const labels = labelled.get(node.id) ?? noLabels
    const isDown = drawn.down.has(node.id)
    const isSame =
      old?.data.node === node &&
      old.data.leads === leads &&
      old.data.isDown === isDown &&
      old.data.connected.join(' ') === connected.join(' ') &&
      sameLabels(old.data.labels, labels)
    if (isSame && old.selected === isSelected) return old
    return {
      ...(old ?? (isPartOfMany || isLarge(graph) ? roughSize(node, isDown) : {})),
      id: node.id,
      type: 'step',
      position: isSame ? old.position : { x: node.x, y: node.y },
      data: isSame ? old.data : { node, connected, labels, isDown, leads },
      ariaLabel: nameOf(node),
      domAttributes: { 'aria-roledescription': t('canvas.nodeRole') },
      selected: isSelected,
      deletable: node.type !== 'start',
    }
  })
}

/** Steps and notes; the same array if nothing changed. */
export const nodesOf = (
  t: FlowsT,
  graph: FlowGraph,
  selected: readonly string[],
  before: Shown[],
  steps: StepsShown,
): Shown[] => {
  const shown = [...notesOf(t, graph, selected, before), ...stepsOf(t, graph, selected, before, steps)]
  const isSame = shown.length === before.length && shown.every((one, i) => one === before[i])
  return isSame ? before : shown
}
