import {
  applyNodeChanges,
  Background,
  type Connection,
  type Edge,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react'
import { type DragEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/icon.tsx'
import type { FlowGraph } from '#shared/flow-graph.ts'
import { useLasting } from '../ui/steady.ts'
import { type CanvasNode, CanvasNodeView } from './canvas-node.tsx'
import { type CanvasNote, CanvasNoteView } from './canvas-note.tsx'
import { type AddableType, addableTypes, edgeAt, mainOutput } from './draft.ts'
import { useEditorActions, useEditorFacts } from './editor-context.ts'
import { tidyPlaces } from './layout.ts'
import { Mark } from './mark.tsx'
import { NodeIcon } from './node-icon.tsx'
import { addNote, connect, disconnect, movePlaces, type Places } from './operations.ts'
import { isLarge, roughSize, withoutGuess } from './rough-size.ts'
import { StepAlignment, StepColors } from './step-colors.tsx'
import { type FlowsT, titleOf } from './words.ts'
import '@xyflow/react/dist/base.css'
import './canvas.css'

const dragType = 'application/x-recado-step'
const nodeTypes = { step: CanvasNodeView, note: CanvasNoteView }
type Shown = CanvasNode | CanvasNote

const deletingKeys = ['Delete', 'Backspace']
const choosingKeys = ['Shift', 'Control', 'Meta']
const leadsElsewhere = ({ source, target }: Connection | Edge): boolean => source !== target

export interface CanvasProps {
  readonly graph: FlowGraph
  readonly selected: readonly string[]
  /** Changes when the chosen step shall come into sight. */
  readonly revealKey: number
}

/** Notes stand behind the steps. */
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

const whole = { maxZoom: 1, padding: 0.15 }
/** The whole flow where it can be read so, else its beginning. */
const firstView = (graph: FlowGraph) => {
  const start = isLarge(graph) ? graph.nodes.find(({ type }) => type === 'start') : undefined
  if (!start) return whole
  const near = graph.nodes.filter(({ x, y }) => Math.abs(x - start.x) <= 1100 && Math.abs(y - start.y) <= 500)
  return { ...whole, minZoom: 0.5, nodes: near.map(({ id }) => ({ id })) }
}

/** Nodes as the canvas keeps them: a step that did not change is the same object, so that it is not drawn again. */
const stepsOf = (t: FlowsT, graph: FlowGraph, selected: readonly string[], before: readonly Shown[]): CanvasNode[] => {
  const known = new Map(before.flatMap(one => (one.type === 'step' ? [[one.id, one] as const] : [])))
  const outputs = Map.groupBy(graph.edges, ({ from }) => from)
  return graph.nodes.map(node => {
    const connected = (outputs.get(node.id) ?? []).map(({ output }) => output)
    const old = known.get(node.id)
    const isSelected = selected.includes(node.id)
    const isSame = old?.data.node === node && old.data.connected.join(' ') === connected.join(' ')
    if (isSame && old.selected === isSelected) return old
    return {
      ...(old ?? (isLarge(graph) ? roughSize(node) : {})),
      id: node.id,
      type: 'step',
      position: isSame ? old.position : { x: node.x, y: node.y },
      data: isSame ? old.data : { node, connected },
      ariaLabel: titleOf(t, node),
      selected: isSelected,
      deletable: node.type !== 'start',
    }
  })
}

const nodesOf = (...facts: Parameters<typeof stepsOf>): Shown[] => [...notesOf(...facts), ...stepsOf(...facts)]

/** Kinds of step: pressed they follow the chosen one, dragged they stand where they are dropped. */
function Palette({ graph, selected }: Pick<CanvasProps, 'graph' | 'selected'>) {
  const { t } = useTranslation('flows')
  const { add } = useEditorActions()
  const { screenToFlowPosition } = useReactFlow()
  const press = (type: AddableType) => {
    const only = selected.length === 1 ? graph.nodes.find(({ id }) => id === selected[0]) : undefined
    const output = only && mainOutput(only)
    const place = only && output ? { from: only.id, output } : undefined
    if (place && !edgeAt(graph, place)) return add(type, place)
    const view = document.querySelector('.flow-canvas')?.getBoundingClientRect()
    add(
      type,
      undefined,
      view && screenToFlowPosition({ x: view.left + view.width / 2 - 140, y: view.top + view.height / 2 - 60 }),
    )
  }
  return (
    <fieldset className="flow-palette">
      <legend className="sr-only">{t('canvas.palette')}</legend>
      {addableTypes.map(type => (
        <button
          key={type}
          type="button"
          draggable
          data-tip={t(`nodeHint.${type}`)}
          onClick={() => press(type)}
          onDragStart={event => {
            event.dataTransfer.setData(dragType, type)
            event.dataTransfer.effectAllowed = 'move'
          }}
        >
          <NodeIcon type={type} />
          {t(`node.${type}`)}
        </button>
      ))}
    </fieldset>
  )
}

function Tools({ graph }: Pick<CanvasProps, 'graph'>) {
  const { t } = useTranslation('flows')
  const { change } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const { zoomIn, zoomOut, fitView, screenToFlowPosition } = useReactFlow()
  const note = () => {
    const board = document.querySelector('.flow-board')?.getBoundingClientRect()
    const at = board ? screenToFlowPosition({ x: board.left + 48, y: board.top + 72 }) : { x: 0, y: 0 }
    change(one => addNote(one, { x: Math.round(at.x), y: Math.round(at.y) }))
  }
  const tidy = () => {
    change(one => movePlaces(one, tidyPlaces(one)))
    requestAnimationFrame(() => void fitView(whole))
  }
  return (
    <div className="flow-canvas-tools">
      <button type="button" aria-label={t('canvas.zoomIn')} data-tip={t('canvas.zoomIn')} onClick={() => void zoomIn()}>
        <Icon name="plus" />
      </button>
      <button
        type="button"
        aria-label={t('canvas.zoomOut')}
        data-tip={t('canvas.zoomOut')}
        onClick={() => void zoomOut()}
      >
        <span aria-hidden="true">−</span>
      </button>
      <button type="button" aria-label={t('canvas.fit')} data-tip={t('canvas.fit')} onClick={() => void fitView(whole)}>
        <Icon name="screen" />
      </button>
      {isReadOnly || graph.nodes.length < 2 ? null : (
        <button type="button" aria-label={t('canvas.tidy')} data-tip={t('canvas.tidy')} onClick={tidy}>
          <Mark name="tidy" />
        </button>
      )}
      {isReadOnly ? null : (
        <button type="button" aria-label={t('canvas.addNote')} data-tip={t('canvas.addNote')} onClick={note}>
          <Icon name="pencil" />
        </button>
      )}
    </div>
  )
}

function Board({ graph, selected, revealKey }: CanvasProps) {
  const { t } = useTranslation('flows')
  const { change, select, add, remove } = useEditorActions()
  const { isReadOnly, trail } = useEditorFacts()
  const steps = graph.nodes.filter(({ id }) => selected.includes(id)).map(({ id }) => id)
  const { screenToFlowPosition, fitView } = useReactFlow()
  const [nodes, setNodes] = useState<Shown[]>(() => nodesOf(t, graph, selected, []))
  useEffect(() => setNodes(before => nodesOf(t, graph, selected, before)), [t, graph, selected])
  const [selectedEdges, setSelectedEdges] = useState<readonly string[]>([])
  const edges = useMemo<Edge[]>(
    () =>
      graph.edges.map(({ id, from, output, to }) => ({
        id,
        source: from,
        sourceHandle: output,
        target: to,
        selected: selectedEdges.includes(id),
        ...(trail?.ways.has(`${from} ${output}`) ? { className: 'flow-taken' } : {}),
      })),
    [graph.edges, selectedEdges, trail],
  )
  // Led here from the problems or by a new step: it comes into sight.
  const led = useRef(revealKey)
  useEffect(() => {
    const [id] = selected
    if (led.current === revealKey || !id) return
    led.current = revealKey
    requestAnimationFrame(() => void fitView({ nodes: [{ id }], maxZoom: 1, minZoom: 0.6, duration: 200 }))
  }, [revealKey, selected, fitView])
  // What is tried went on: where it stands comes into sight, at the size it is looked at.
  const stands = trail?.at ?? trail?.last
  const { getNode, getZoom, setCenter, getViewport } = useReactFlow<CanvasNode>()
  const board = useRef<HTMLDivElement>(null)
  const follow = useEffectEvent((id: string) => {
    const node = getNode(id)
    const box = board.current?.getBoundingClientRect()
    if (!node || !box) return
    const { x, y, zoom } = getViewport()
    const { width = 280, height = 120 } = node.measured ?? {}
    const [left, top] = [node.position.x * zoom + x, node.position.y * zoom + y]
    const isSeen = left >= 0 && top >= 0 && left + width * zoom <= box.width && top + height * zoom <= box.height
    if (isSeen) return
    void setCenter(node.position.x + width / 2, node.position.y + height / 2, { zoom: getZoom(), duration: 200 })
  })
  useEffect(() => {
    if (stands) follow(stands)
  }, [stands])
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
    if (moved.length) change(one => movePlaces(one, Object.fromEntries(moved)), 'moved')
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
    const type = addableTypes.find(one => one === event.dataTransfer.getData(dragType))
    if (!type) return
    event.preventDefault()
    add(type, undefined, screenToFlowPosition({ x: event.clientX, y: event.clientY }))
  }
  const [beginsAt] = useState(() => firstView(graph))
  const described = useMemo(
    () => ({
      'node.a11yDescription.default': t('canvas.nodeHelp'),
      'node.a11yDescription.keyboardDisabled': t('canvas.nodeHelp'),
      'edge.a11yDescription.default': t('canvas.edgeHelp'),
      'minimap.ariaLabel': t('canvas.minimap'),
      'handle.ariaLabel': t('canvas.handle'),
    }),
    [t],
  )
  return (
    <ReactFlow<Shown>
      ref={board}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      onConnect={onConnect}
      onBeforeDelete={onBeforeDelete}
      isValidConnection={leadsElsewhere}
      deleteKeyCode={isReadOnly ? null : deletingKeys}
      multiSelectionKeyCode={choosingKeys}
      selectionKeyCode="Shift"
      nodesDraggable={!isReadOnly}
      nodesConnectable={!isReadOnly}
      edgesReconnectable={false}
      onlyRenderVisibleElements={isLarge(graph)}
      fitView
      fitViewOptions={beginsAt}
      minZoom={0.1}
      maxZoom={2}
      ariaLabelConfig={described}
      onDragOver={event => event.preventDefault()}
      onDrop={onDrop}
      aria-label={t('view.canvas')}
    >
      <Background gap={24} />
      <MiniMap pannable zoomable position="bottom-right" />
      <Panel position="bottom-left">
        <Tools graph={graph} />
      </Panel>
      {isReadOnly || !steps.length ? null : (
        <Panel position="top-left">
          <div className="flow-chosen-tools">
            <StepColors ids={steps} />
            {steps.length > 1 ? <StepAlignment ids={steps} /> : null}
          </div>
        </Panel>
      )}
    </ReactFlow>
  )
}

/** The flow drawn on a plane. It shows and changes the same draft as the outline. */
export default function Canvas(props: CanvasProps) {
  const { isReadOnly } = useEditorFacts()
  return (
    <ReactFlowProvider>
      <div className="flow-canvas">
        {isReadOnly ? null : <Palette graph={props.graph} selected={props.selected} />}
        <div className="flow-board">
          <Board {...props} />
        </div>
      </div>
    </ReactFlowProvider>
  )
}
