import { use } from 'react'
import { NonceContext } from '#client/nonce.ts'
import type { FlowGraph, FlowNode } from '#shared/flow-graph.ts'
import { bend, earlyBoardScript, type Way } from './early-board.ts'
import { useEditorFacts } from './editor-context.ts'
import { beginningOf, firstPartOf, inFirstSight } from './first-view.ts'
import { roughSize } from './rough-size.ts'
import { type CardEnd, StepCard } from './step-card.tsx'

const End = ({ output }: CardEnd) => (
  <span
    className={
      output === undefined
        ? 'react-flow__handle react-flow__handle-left'
        : 'react-flow__handle react-flow__handle-right'
    }
  />
)

/** Ways that begin or end in sight. */
const waysOf = ({ nodes, edges }: FlowGraph, steps: readonly FlowNode[]): Way[] => {
  const known = new Map(nodes.map(node => [node.id, { node, handles: roughSize(node).handles }]))
  const places = new Map(steps.map(({ id }, place) => [id, place]))
  return edges.flatMap(({ from, output, to }) => {
    const [source, target] = [known.get(from), known.get(to)]
    const out = source?.handles.find(({ id }) => id === output)
    const into = target?.handles.find(({ type }) => type === 'target')
    if (!source || !target || !out || !into) return []
    const begins = { x: source.node.x + out.x, y: source.node.y + out.y }
    const ends = { x: target.node.x + into.x, y: target.node.y + into.y }
    return { from: places.get(from) ?? -1, to: places.get(to) ?? -1, begins, ends }
  })
}

/** All others, for who moves on or looks from farther away. */
const boxesOf = (nodes: readonly FlowNode[], steps: readonly FlowNode[]): string => {
  const drawn = new Set(steps)
  return nodes
    .filter(node => !drawn.has(node))
    .map(node => {
      const { width, height } = roughSize(node).measured
      return `M${node.x},${node.y}h${width}v${Math.round(height)}h${-width}z`
    })
    .join('')
}

/** What the canvas will show first, drawn by the server, and a script that answers for it. No attribute may say where something stands: a style of the page does. */
function Drawing({ graph }: { readonly graph: FlowGraph }) {
  const nonce = use(NonceContext)
  const { names, beginsBy, isReadOnly } = useEditorFacts()
  const view = beginningOf(graph)
  if (!view || nonce === undefined) return null
  const { x, y, zoom } = view
  const steps = inFirstSight(graph.nodes, view)
  const part = firstPartOf(graph, view)
  const ways = waysOf(part, steps)
  const drawing = { view, steps: steps.map(({ id, x, y }) => ({ id, x, y })), ways, isReadOnly }
  const places = [
    `.flow-still-plane{transform:translate(${x}px,${y}px) scale(${zoom})}`,
    ...steps.map((node, i) => `.flow-still-plane>:nth-child(${i + 2}){left:${node.x}px;top:${node.y}px}`),
  ]
  return (
    <>
      <style nonce={nonce}>{places.join('')}</style>
      <div className="flow-still-plane">
        <svg aria-hidden="true">
          <path className="flow-still-boxes" d={boxesOf(graph.nodes, steps)} />
          <path d={ways.map(({ begins, ends }) => bend(begins, ends)).join('')} />
        </svg>
        {steps.map(node => (
          <StepCard
            key={node.id}
            node={node}
            connected={part.edges.flatMap(({ from, output }) => (from === node.id ? [output] : []))}
            names={names}
            isSelected={false}
            hasError={false}
            beginsBy={node.type === 'start' ? beginsBy : ''}
            isReadOnly={isReadOnly}
            trail={undefined}
            hasFigures={false}
            End={End}
          />
        ))}
      </div>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a script of ours, and what it gets is escaped */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: earlyBoardScript(drawing) }} />
    </>
  )
}

const asItStands = { __html: '' }

/**
 * A large flow's beginning in the first HTML: seen until the canvas, whose scripts take their time, is drawn over it. In
 * the browser it is left as it stands.
 */
export const CanvasStill = ({ graph }: { readonly graph: FlowGraph }) =>
  typeof document === 'undefined' ? (
    <div className="flow-still" inert>
      <Drawing graph={graph} />
    </div>
  ) : (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing
    <div className="flow-still" inert suppressHydrationWarning dangerouslySetInnerHTML={asItStands} />
  )
