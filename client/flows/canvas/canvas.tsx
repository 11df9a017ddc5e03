import {
  applyNodeChanges,
  Background,
  type Connection,
  ConnectionLineType,
  type Edge,
  type EdgeChange,
  type NodeChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  type ReactFlowState,
  useStore,
} from '@xyflow/react'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditorActions, useEditorFacts } from '#client/flows/editor/editor-context.ts'
import { movedKey } from '#client/flows/editor/history.ts'
import { connect, disconnect, movePlaces, type Places } from '#client/flows/editor/operations.ts'
import { StepAlignment, StepColors } from '#client/flows/forms/step-colors.tsx'
import { outputLabel, titleOf } from '#client/flows/words.ts'
import { useLasting } from '#client/ui/page/steady.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { AddStep } from './add-step.tsx'
import { CanvasEdgeView } from './canvas-edge.tsx'
import { CanvasMap } from './canvas-map.tsx'
import { CanvasNodeView } from './canvas-node.tsx'
import { nodesOf, type Shown } from './canvas-nodes.ts'
import { CanvasNoteView } from './canvas-note.tsx'
import { CanvasTools } from './canvas-tools.tsx'
import { type BoardSize, isThere, useDrawnAtOnce, useSlowly } from './first-drawing.ts'
import { beginningOf, readableStart, wholeView } from './first-view.ts'
import { drawnEdges } from './lines.ts'
import { isLarge, withoutGuess } from './rough-size.ts'
import { readableZoom, useInSight } from './use-in-sight.ts'
import { useWays } from './use-ways.ts'

const nodeTypes = { step: CanvasNodeView, note: CanvasNoteView }
const edgeTypes = { way: CanvasEdgeView }

const deletingKeys = ['Delete', 'Backspace']
const choosingKeys = ['Shift', 'Control', 'Meta']
const leadsElsewhere = ({ source, target }: Connection | Edge): boolean => source !== target

export interface CanvasProps {
  readonly graph: FlowGraph
  readonly selected: readonly string[]
  /** Changes when the selected step should scroll into view. */
  readonly revealKey: number
}

/** The size before it is known: the window without the sidebar, and without the bars above. */
const usualBoard = (): BoardSize => ({ width: innerWidth - 256, height: innerHeight - 104 })

interface BoardProps extends CanvasProps {
  /** The size the canvas will have, if known in advance. */
  readonly size: RefObject<BoardSize | undefined>
  /** Called once its steps are visible. */
  onDrawn(): void
}

/** How much of a step is shown. Zoomed out, a step shows less text instead of text too small to read. */
const faceAt = ({ transform: [, , zoom] }: ReactFlowState): 'near' | 'far' | 'farther' =>
  zoom >= readableZoom ? 'near' : zoom >= 0.42 ? 'far' : 'farther'

function Board({ graph: whole, selected, revealKey, size, onDrawn }: BoardProps) {
  const { graph, isWhole } = useSlowly(whole)
  const { t } = useTranslation('flows')
  const { change, select, remove } = useEditorActions()
  const { isReadOnly, trail } = useEditorFacts()
  const steps = useMemo(() => {
    const chosen = new Set(selected)
    return whole.nodes.flatMap(({ id }) => (chosen.has(id) ? [id] : []))
  }, [whole.nodes, selected])
  const [nodes, setNodes] = useState<Shown[]>(() => nodesOf(t, graph, selected, [], !isWhole))
  useEffect(() => setNodes(before => nodesOf(t, graph, selected, before, !isWhole)), [t, graph, selected, isWhole])
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
  const [beginsAt] = useState(() => beginningOf(whole))
  useDrawnAtOnce(nodes, edges, size.current, beginsAt)
  const [opensAt] = useState(() => beginsAt ?? readableStart(whole, size.current ?? usualBoard()))
  const { showBeside, reveal } = useInSight({ stands: trail?.at ?? trail?.last, selected })
  // Selected from the problem list, or just added: it scrolls into view.
  const led = useRef(revealKey)
  useEffect(() => {
    const [id] = selected
    // A step just added is drawn a moment later.
    if (led.current === revealKey || !id || !nodes.some(node => node.id === id)) return
    led.current = revealKey
    requestAnimationFrame(() => reveal(id))
  }, [revealKey, selected, nodes, reveal])
  const onNodesChange = useLasting((changes: NodeChange<Shown>[]) => {
    const drawn = new Set(changes.flatMap(one => (one.type === 'dimensions' ? [one.id] : [])))
    setNodes(before => withoutGuess(applyNodeChanges(changes, before), drawn))
    const places: Record<string, Places[string]> = {}
    const chosen = new Set(selected)
    for (const one of changes) {
      if (one.type === 'position' && !one.dragging && one.position)
        places[one.id] = { x: Math.round(one.position.x), y: Math.round(one.position.y) }
      if (one.type === 'select') chosen[one.selected ? 'add' : 'delete'](one.id)
    }
    const moved = Object.entries(places).filter(([id, { x, y }]) => {
      const node = graph.nodes.find(one => one.id === id) ?? graph.notes?.find(one => one.id === id)
      return node && (node.x !== x || node.y !== y)
    })
    if (moved.length) change(one => movePlaces(one, Object.fromEntries(moved)), movedKey)
    if (chosen.size !== selected.length || selected.some(id => !chosen.has(id))) select([...chosen])
  })
  const onEdgesChange = useLasting((changes: EdgeChange[]) => {
    const chosen = new Set(selectedEdges)
    for (const one of changes) if (one.type === 'select') chosen[one.selected ? 'add' : 'delete'](one.id)
    setSelectedEdges([...chosen])
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
  const face = useStore(faceAt)
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    const { target } = event
    if (!isPlain || !(target instanceof HTMLElement)) return
    const { id } = target.dataset
    // After the library has selected the step.
    if (event.key === 'Enter' && id !== undefined && target.matches('.react-flow__node-step')) {
      event.preventDefault()
      return select([id], true)
    }
    if (event.key.toLowerCase() !== 'n' || isReadOnly || !target.matches('.react-flow__node, .react-flow')) return
    event.preventDefault()
    document.querySelector<HTMLElement>('.flow-add-step')?.click()
  }
  /** The library would also take the focus from the step. */
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const { target } = event
    if (event.key !== 'Escape' || !(target instanceof HTMLElement) || !target.matches('.react-flow__node')) return
    event.stopPropagation()
    select([])
  }
  const isDrawn = useStore(isThere)
  useEffect(() => {
    if (isDrawn) onDrawn()
  }, [isDrawn, onDrawn])
  const described = useMemo(
    () => ({
      'node.a11yDescription.default': t('canvas.nodeHelp'),
      'node.a11yDescription.keyboardDisabled': t('canvas.nodeHelp'),
      'edge.a11yDescription.default': t('canvas.edgeHelp'),
      'handle.ariaLabel': t('canvas.handle'),
      'node.a11yDescription.ariaLiveMessage': () => t('canvas.moved'),
    }),
    [t],
  )
  // Memoized, so that dragging a step renders only that step.
  const over = useMemo(
    () => (
      <>
        <Background gap={20} />
        {isWhole ? (
          <Panel position="bottom-right" className="flow-map-place">
            <CanvasMap graph={whole} />
          </Panel>
        ) : null}
        <Panel position="bottom-left">
          <CanvasTools graph={whole} />
        </Panel>
        {isReadOnly ? null : (
          <Panel position="top-left">
            <div className="flow-chosen-tools">
              <AddStep graph={whole} steps={steps} />
              {steps.length ? <StepColors ids={steps} /> : null}
              {steps.length > 1 ? <StepAlignment ids={steps} /> : null}
            </div>
          </Panel>
        )}
      </>
    ),
    [whole, isWhole, isReadOnly, steps],
  )
  return (
    <ReactFlow<Shown>
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      onNodeDragStop={showBeside}
      onConnect={onConnect}
      onBeforeDelete={onBeforeDelete}
      isValidConnection={leadsElsewhere}
      deleteKeyCode={isReadOnly ? null : deletingKeys}
      multiSelectionKeyCode={choosingKeys}
      selectionKeyCode="Shift"
      nodesDraggable={!isReadOnly}
      nodesConnectable={!isReadOnly}
      edgesReconnectable={false}
      onlyRenderVisibleElements={isLarge(whole)}
      fitView={opensAt === undefined}
      fitViewOptions={wholeView}
      {...(opensAt ? { defaultViewport: opensAt } : {})}
      minZoom={0.1}
      maxZoom={2}
      ariaLabelConfig={described}
      connectionLineType={ConnectionLineType.SmoothStep}
      onKeyDown={onKeyDown}
      onKeyDownCapture={onKeyDownCapture}
      data-face={face}
      aria-label={t('view.canvas')}
    >
      {over}
    </ReactFlow>
  )
}

/** The flow on a canvas. It shows and changes the same draft as the outline. */
export default function Canvas(props: BoardProps) {
  return (
    <ReactFlowProvider>
      <Board {...props} />
    </ReactFlowProvider>
  )
}
