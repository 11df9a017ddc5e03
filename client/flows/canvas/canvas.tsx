import {
  applyNodeChanges,
  Background,
  type Connection,
  type Edge,
  type EdgeChange,
  type NodeChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  type ReactFlowState,
  useReactFlow,
  useStore,
  useStoreApi,
  type Viewport,
} from '@xyflow/react'
import {
  type DragEvent,
  type Ref,
  type RefObject,
  startTransition,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useEditorActions, useEditorFacts } from '#client/flows/editor/editor-context.ts'
import { movedKey } from '#client/flows/editor/history.ts'
import { connect, disconnect, movePlaces, type Places } from '#client/flows/editor/operations.ts'
import { draggedType } from '#client/flows/editor/palette.tsx'
import { whenIdle } from '#client/flows/editor/when-idle.ts'
import { StepAlignment, StepColors } from '#client/flows/forms/step-colors.tsx'
import { titleOf } from '#client/flows/words.ts'
import { useLasting } from '#client/ui/page/steady.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { CanvasEdgeView } from './canvas-edge.tsx'
import { CanvasMap } from './canvas-map.tsx'
import { CanvasNodeView } from './canvas-node.tsx'
import { nodesOf, type Shown } from './canvas-nodes.ts'
import { CanvasNoteView } from './canvas-note.tsx'
import { CanvasTools } from './canvas-tools.tsx'
import { beginningOf, firstPartOf, readableStart, wholeView } from './first-view.ts'
import { isLarge, withoutGuess } from './rough-size.ts'
import { useInSight } from './use-in-sight.ts'
import { lanesOf } from './ways.ts'

const nodeTypes = { step: CanvasNodeView, note: CanvasNoteView }
const edgeTypes = { way: CanvasEdgeView }

const deletingKeys = ['Delete', 'Backspace']
const choosingKeys = ['Shift', 'Control', 'Meta']
/** Work after the first paint waits this long at most for an idle page. */
const idleWithinMs = 300
const leadsElsewhere = ({ source, target }: Connection | Edge): boolean => source !== target

export interface CanvasProps {
  readonly graph: FlowGraph
  readonly selected: readonly string[]
  /** Changes when the selected step should scroll into view. */
  readonly revealKey: number
}

type StoreApi = ReturnType<typeof useStoreApi<Shown>>

/** Without a known size: the window without the sidebar and the palette, and without the bars above. */
const usualBoard = (): BoardSize => ({ width: innerWidth - 440, height: innerHeight - 104 })

/** What other components may call on the canvas. */
export interface CanvasPlace {
  /** The centre of the visible part. */
  middle(): { readonly x: number; readonly y: number } | undefined
}

export interface BoardSize {
  readonly width: number
  readonly height: number
}

interface BoardProps extends CanvasProps {
  /** The size the canvas will have, if known in advance. */
  readonly size: RefObject<BoardSize | undefined>
  readonly place: Ref<CanvasPlace>
  /** Called once its steps are visible. */
  onDrawn(): void
}

/** Calls `work` once the current rendering is painted and the page is idle. Returns a function that cancels it. */
const afterPaint = (work: () => void): (() => void) => {
  let leave: () => void
  const frame = requestAnimationFrame(() => {
    leave = whenIdle(work, idleWithinMs)
  })
  leave = () => cancelAnimationFrame(frame)
  return () => leave()
}

type Measured = Parameters<ReactFlowState<Shown>['updateNodeInternals']>[0]

/** Delays the canvas's first measurement of its steps until they are painted. */
const measureOncePainted = (store: Pick<StoreApi, 'getState' | 'setState'>) => {
  const { updateNodeInternals } = store.getState()
  let waiting: Measured | undefined = new Map()
  const tell = () => {
    const seen = waiting
    waiting = undefined
    if (seen?.size) updateNodeInternals(seen)
  }
  store.setState({
    updateNodeInternals(updates, options) {
      if (!waiting) return updateNodeInternals(updates, options)
      if (!waiting.size) afterPaint(tell)
      for (const [id, update] of updates) waiting.set(id, update)
    },
  })
}

const isThere = ({ panZoom, width }: ReactFlowState): boolean => panZoom !== null && width > 0

/** Of a large flow the visible part is rendered first, and the rest a moment later. */
const useSlowly = (whole: FlowGraph): { readonly graph: FlowGraph; readonly isWhole: boolean } => {
  const [isWhole, setWhole] = useState(() => !isLarge(whole))
  const isBegun = useStore(isThere)
  useEffect(() => {
    if (isBegun) return afterPaint(() => startTransition(() => setWhole(true)))
  }, [isBegun])
  const graph = useMemo(() => {
    const view = isWhole ? undefined : beginningOf(whole)
    return view ? firstPartOf(whole, view) : whole
  }, [whole, isWhole])
  return { graph, isWhole }
}

/**
 * Renders the first visible part at once; otherwise the library would render an empty canvas, measure it, and render
 * again. Steps keep their estimated size until that is painted: measuring earlier would render all of them twice.
 */
const useDrawnAtOnce = (nodes: Shown[], edges: Edge[], size: BoardSize | undefined, view: Viewport | undefined) => {
  const store = useStoreApi<Shown>()
  useState(() => {
    if (!size?.width || !size.height || !view) return
    const { setNodes, setEdges } = store.getState()
    store.setState({ ...size, transform: [view.x, view.y, view.zoom] })
    measureOncePainted(store)
    setNodes(nodes)
    setEdges(edges)
  })
}

function Board({ graph: whole, selected, revealKey, size, place, onDrawn }: BoardProps) {
  const { graph, isWhole } = useSlowly(whole)
  const { t } = useTranslation('flows')
  const { change, select, add, remove } = useEditorActions()
  const { isReadOnly, trail } = useEditorFacts()
  const steps = useMemo(() => {
    const chosen = new Set(selected)
    return whole.nodes.flatMap(({ id }) => (chosen.has(id) ? [id] : []))
  }, [whole.nodes, selected])
  const { screenToFlowPosition, fitView } = useReactFlow()
  const [nodes, setNodes] = useState<Shown[]>(() => nodesOf(t, graph, selected, [], !isWhole))
  useEffect(() => setNodes(before => nodesOf(t, graph, selected, before, !isWhole)), [t, graph, selected, isWhole])
  const [selectedEdges, setSelectedEdges] = useState<readonly string[]>([])
  const lanes = useMemo(() => lanesOf(graph), [graph])
  const names = useMemo(() => new Map(graph.nodes.map(node => [node.id, titleOf(t, node)])), [t, graph.nodes])
  const edges = useMemo<Edge[]>(
    () =>
      graph.edges.map(({ id, from, output, to }) => ({
        id,
        type: 'way',
        data: { lane: lanes.get(id) },
        ariaLabel: t('canvas.edge', { from: names.get(from), to: names.get(to) }),
        domAttributes: { 'aria-roledescription': t('canvas.edgeRole') },
        source: from,
        sourceHandle: output,
        target: to,
        selected: selectedEdges.includes(id),
        ...(trail?.ways.has(`${from} ${output}`) ? { className: 'flow-taken' } : {}),
      })),
    [t, graph.edges, lanes, names, selectedEdges, trail],
  )
  const [beginsAt] = useState(() => beginningOf(whole))
  useDrawnAtOnce(nodes, edges, size.current, beginsAt)
  const [opensAt] = useState(() => beginsAt ?? readableStart(whole, size.current ?? usualBoard()))
  // Selected from the problem list, or just added: it scrolls into view.
  const led = useRef(revealKey)
  useEffect(() => {
    const [id] = selected
    if (led.current === revealKey || !id) return
    led.current = revealKey
    requestAnimationFrame(() => void fitView({ nodes: [{ id }], maxZoom: 1, minZoom: 0.6, duration: 200 }))
  }, [revealKey, selected, fitView])
  const board = useRef<HTMLDivElement>(null)
  const showBeside = useInSight({ stands: trail?.at ?? trail?.last, selected })
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
  const onDrop = (event: DragEvent) => {
    const type = draggedType(event)
    if (!type) return
    event.preventDefault()
    add(type, undefined, screenToFlowPosition({ x: event.clientX, y: event.clientY }))
  }
  useImperativeHandle(
    place,
    () => ({
      middle() {
        const box = board.current?.getBoundingClientRect()
        return box && screenToFlowPosition({ x: box.left + box.width / 2 - 140, y: box.top + box.height / 2 - 60 })
      },
    }),
    [screenToFlowPosition],
  )
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
        <Background gap={24} />
        {isWhole ? (
          <Panel position="bottom-right" className="flow-map-place">
            <CanvasMap graph={whole} />
          </Panel>
        ) : null}
        <Panel position="bottom-left">
          <CanvasTools graph={whole} />
        </Panel>
        {isReadOnly || !steps.length ? null : (
          <Panel position="top-left">
            <div className="flow-chosen-tools">
              <StepColors ids={steps} />
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
      ref={board}
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
      onDragOver={event => event.preventDefault()}
      onDrop={onDrop}
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
