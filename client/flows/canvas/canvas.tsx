import {
  type Connection,
  ConnectionLineType,
  type Edge,
  ReactFlow,
  ReactFlowProvider,
  type ReactFlowState,
  useStore,
} from '@xyflow/react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { useEditorFacts } from '../editor/editor-context.ts'
import { BoardTools } from './board-tools.tsx'
import { CanvasEdgeView } from './canvas-edge.tsx'
import { CanvasNodeView } from './canvas-node.tsx'
import { nodesOf, type Shown } from './canvas-nodes.ts'
import { CanvasNoteView } from './canvas-note.tsx'
import { type BoardSize, isThere, useDrawnAtOnce, useSlowly } from './first-drawing.ts'
import { firstViewport, readableStart, wholeView } from './first-view.ts'
import { isLarge } from './rough-size.ts'
import { useBoardChanges } from './use-board-changes.ts'
import { useBoardEdges } from './use-board-edges.ts'
import { useBoardKeys } from './use-board-keys.ts'
import { readableZoom, useInSight } from './use-in-sight.ts'

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

/** Zoomed out, a step shows less text instead of text too small to read. */
const faceAt = ({ transform: [, , zoom] }: ReactFlowState): 'near' | 'far' | 'farther' =>
  zoom >= readableZoom ? 'near' : zoom >= 0.42 ? 'far' : 'farther'

/** Labels of steps, lines and outputs for screen readers. */
const useDescriptions = () => {
  const { t } = useTranslation('flows')
  return useMemo(
    () => ({
      'node.a11yDescription.default': t('canvas.nodeHelp'),
      'node.a11yDescription.keyboardDisabled': t('canvas.nodeHelp'),
      'edge.a11yDescription.default': t('canvas.edgeHelp'),
      'handle.ariaLabel': t('canvas.handle'),
      'node.a11yDescription.ariaLiveMessage': () => t('canvas.moved'),
    }),
    [t],
  )
}

function Board({ graph: whole, selected, revealKey, size, onDrawn }: BoardProps) {
  const { graph, isWhole } = useSlowly(whole)
  const { t } = useTranslation('flows')
  const { isReadOnly, names, trail } = useEditorFacts()
  const [nodes, setNodes] = useState<Shown[]>(() => nodesOf(t, graph, selected, [], { names, isPartOfMany: !isWhole }))
  useEffect(
    () => setNodes(before => nodesOf(t, graph, selected, before, { names, isPartOfMany: !isWhole })),
    [t, graph, selected, names, isWhole],
  )
  const { edges, onEdgesChange } = useBoardEdges(graph, nodes, selected)
  const [beginsAt] = useState(() => firstViewport(whole))
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
  const face = useStore(faceAt)
  const isDrawn = useStore(isThere)
  useEffect(() => {
    if (isDrawn) onDrawn()
  }, [isDrawn, onDrawn])
  const { onNodesChange, onConnect, onBeforeDelete } = useBoardChanges(graph, selected, setNodes)
  const keys = useBoardKeys()
  const described = useDescriptions()
  // Memoized, so that dragging a step renders only that step.
  const over = useMemo(
    () => <BoardTools graph={whole} isWhole={isWhole} selected={selected} isReadOnly={isReadOnly} />,
    [whole, isWhole, selected, isReadOnly],
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
      {...keys}
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
