import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { NonceContext } from '#client/app/nonce.ts'
import { useEditorFacts } from '#client/flows/editor/editor-context.ts'
import { jumpText } from '#client/flows/words.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
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

/** The path of an edge in the canvas's curve. */
const bend = (from: { x: number; y: number }, to: { x: number; y: number }): string => {
  const away = to.x - from.x
  const by = away >= 0 ? away / 2 : 6.25 * Math.sqrt(-away)
  return `M${from.x},${from.y} C${from.x + by},${from.y} ${to.x - by},${to.y} ${to.x},${to.y}`
}

const waysOf = ({ nodes, edges }: FlowGraph): string => {
  const known = new Map(nodes.map(node => [node.id, { node, handles: roughSize(node).handles }]))
  return edges
    .flatMap(({ from, output, to }) => {
      const [source, target] = [known.get(from), known.get(to)]
      const out = source?.handles.find(({ id }) => id === output)
      const into = target?.handles.find(({ type }) => type === 'target')
      if (!source || !target || !out || !into) return []
      return bend(
        { x: source.node.x + out.x, y: source.node.y + out.y },
        { x: target.node.x + into.x, y: target.node.y + into.y },
      )
    })
    .join('')
}

/**
 * The first visible part of the canvas, rendered by the server. The content security policy forbids style attributes,
 * so a stylesheet in the page has the positions.
 */
function Drawing({ graph }: { readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const nonce = use(NonceContext)
  const { names, beginsBy, isReadOnly } = useEditorFacts()
  const view = beginningOf(graph)
  if (!view || nonce === undefined) return null
  const { x, y, zoom } = view
  const steps = inFirstSight(graph.nodes, view)
  const part = firstPartOf(graph, view)
  const places = [
    `.flow-still-plane{transform:translate(${x}px,${y}px) scale(${zoom})}`,
    ...steps.map((node, i) => `.flow-still-plane>:nth-child(${i + 2}){left:${node.x}px;top:${node.y}px}`),
  ]
  return (
    <>
      <style nonce={nonce}>{places.join('')}</style>
      <div className="flow-still-plane">
        <svg aria-hidden="true">
          <path d={waysOf(part)} />
        </svg>
        {steps.map(node => (
          <StepCard
            key={node.id}
            node={node}
            connected={part.edges.flatMap(({ from, output }) => (from === node.id ? [output] : []))}
            names={names}
            isSelected={false}
            hasError={false}
            besides={node.type === 'start' ? beginsBy : jumpText(t, node, graph)}
            isReadOnly={isReadOnly}
            trail={undefined}
            hasFigures={false}
            End={End}
          />
        ))}
      </div>
    </>
  )
}

const asItStands = { __html: '' }

/**
 * A large flow's beginning in the first HTML: visible until the canvas, whose scripts are slow to load, is rendered
 * over it. The browser leaves it unchanged.
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
