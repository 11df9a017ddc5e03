import { applyNodeChanges, type Connection, type Edge, type NodeChange } from '@xyflow/react'
import type { Dispatch, SetStateAction } from 'react'
import { useLasting } from '#client/ui/page/steady.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { movedKey } from '../editor/draft/history.ts'
import { connect, disconnect, movePlaces, type Places } from '../editor/draft/operations.ts'
import { useEditorActions } from '../editor/editor-context.ts'
import type { Shown } from './canvas-nodes.ts'
import { withoutGuess } from './rough-size.ts'

/** Places that differ from those of the graph, by step or note. */
const movedIn = (graph: FlowGraph, changes: readonly NodeChange<Shown>[]): Places => {
  const places = changes.flatMap((one): [string, Places[string]][] =>
    one.type === 'position' && !one.dragging && one.position
      ? [[one.id, { x: Math.round(one.position.x), y: Math.round(one.position.y) }]]
      : [],
  )
  return Object.fromEntries(
    places.filter(([id, { x, y }]) => {
      const node = graph.nodes.find(one => one.id === id) ?? graph.notes?.find(one => one.id === id)
      return node && (node.x !== x || node.y !== y)
    }),
  )
}

/** Applies to the draft what the person moves, selects, connects and deletes on the canvas. */
export function useBoardChanges(
  graph: FlowGraph,
  selected: readonly string[],
  setNodes: Dispatch<SetStateAction<Shown[]>>,
) {
  const { change, select, remove } = useEditorActions()
  const onNodesChange = useLasting((changes: NodeChange<Shown>[]) => {
    const drawn = new Set(changes.flatMap(one => (one.type === 'dimensions' ? [one.id] : [])))
    setNodes(before => withoutGuess(applyNodeChanges(changes, before), drawn))
    const moved = movedIn(graph, changes)
    if (Object.keys(moved).length) change(one => movePlaces(one, moved), movedKey)
    const chosen = new Set(selected)
    for (const one of changes) if (one.type === 'select') chosen[one.selected ? 'add' : 'delete'](one.id)
    if (chosen.size !== selected.length || selected.some(id => !chosen.has(id))) select([...chosen])
  })
  const onConnect = useLasting(({ source, sourceHandle, target }: Connection) => {
    if (sourceHandle) change(one => connect(one, { from: source, output: sourceHandle }, target))
  })
  const onBeforeDelete = useLasting(async ({ nodes: gone, edges: cut }: { nodes: Shown[]; edges: Edge[] }) => {
    if (gone.length) remove(gone.map(({ id }) => id))
    else
      change(one =>
        cut.reduce(
          (next, { source, sourceHandle }) =>
            sourceHandle ? disconnect(next, { from: source, output: sourceHandle }) : next,
          one,
        ),
      )
    return false
  })
  return { onNodesChange, onConnect, onBeforeDelete }
}
