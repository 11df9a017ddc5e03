import type { Edge, EdgeChange } from '@xyflow/react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLasting } from '#client/ui/page/steady.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { useEditorFacts } from '../editor/editor-context.ts'
import { outputLabel, titleOf } from '../words.ts'
import type { Shown } from './canvas-nodes.ts'
import { drawnEdges } from './lines.ts'
import { useWays } from './use-ways.ts'

/** The lines between steps, and which of them are selected. */
export function useBoardEdges(graph: FlowGraph, nodes: readonly Shown[], selected: readonly string[]) {
  const { t } = useTranslation('flows')
  const { trail } = useEditorFacts()
  const [selectedEdges, setSelectedEdges] = useState<readonly string[]>([])
  const drawn = useMemo(() => drawnEdges(graph), [graph])
  const ways = useWays(graph, drawn, nodes)
  const names = useMemo(() => new Map(graph.nodes.map(node => [node.id, titleOf(t, node)])), [t, graph.nodes])
  const exits = useMemo(() => {
    const byId = new Map(graph.nodes.map(node => [node.id, node]))
    return new Map(
      graph.edges.map(({ id, from, output }) => {
        const node = byId.get(from)
        return [id, node ? outputLabel(t, node, output) : '']
      }),
    )
  }, [t, graph])
  const edges = useMemo<Edge[]>(() => {
    const chosen = new Set(selected)
    return graph.edges.flatMap(({ id, from, output, to }) => {
      const isTaken = trail?.ways.has(`${from} ${output}`) === true
      const isLit = chosen.has(from) || chosen.has(to)
      // The output's label replaces this line, except while one of its two steps is selected.
      if (drawn.labels.has(id) && !isTaken && !isLit) return []
      const about = t('canvas.edge', { from: names.get(from), to: names.get(to), output: exits.get(id) })
      return {
        id,
        type: 'way',
        data: { way: ways.get(id), about },
        ariaLabel: about,
        domAttributes: { 'aria-roledescription': t('canvas.edgeRole') },
        source: from,
        sourceHandle: output,
        target: to,
        selected: selectedEdges.includes(id),
        className: `${isTaken ? 'flow-taken' : ''} ${isLit ? 'flow-lit' : ''} ${drawn.labels.has(id) ? 'flow-aside' : ''}`,
        zIndex: isTaken || isLit ? 1 : 0,
      }
    })
  }, [t, graph.edges, drawn, ways, names, exits, selected, selectedEdges, trail])
  const onEdgesChange = useLasting((changes: EdgeChange[]) => {
    const chosen = new Set(selectedEdges)
    for (const one of changes) if (one.type === 'select') chosen[one.selected ? 'add' : 'delete'](one.id)
    setSelectedEdges([...chosen])
  })
  return { edges, onEdgesChange }
}
