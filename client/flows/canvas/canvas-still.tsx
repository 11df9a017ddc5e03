import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { NonceContext } from '#client/app/rendering/nonce.ts'
import { type FlowGraph, nodeKind } from '#shared/flows/graph.ts'
import { useEditorFacts } from '../editor/editor-context.ts'
import { leadsTo } from '../step-words.ts'
import { jumpText } from '../words.ts'
import { firstPartOf, firstViewport, inFirstSight } from './first-view.ts'
import { type DrawnEdges, drawnEdges, outputLabels } from './lines.ts'
import { entryPx, roughSize } from './rough-size.ts'
import { type CardEnd, type CardExit, ExitName, StepCard } from './step-card.tsx'
import { plainTurns, svgPath, wayPoints } from './ways.ts'

const End = ({ output, isDown }: CardEnd) => (
  <span
    className={`react-flow__handle ${output === undefined ? 'react-flow__handle-left' : isDown ? 'react-flow__handle-bottom' : 'react-flow__handle-right'}`}
  />
)

const Exit = ({ label }: CardExit) =>
  label ? (
    <span className="flow-exit" data-tone={nodeKind(label).tone}>
      <ExitName label={label} />
    </span>
  ) : null

const linesIn = ({ nodes, edges }: FlowGraph, { labels, down }: DrawnEdges): string => {
  const known = new Map(nodes.map(node => [node.id, { node, ...roughSize(node, down.has(node.id)) }]))
  return edges
    .flatMap(({ id, from, output, to }) => {
      const [source, target] = [known.get(from), known.get(to)]
      const out = source?.handles.find(one => one.id === output)
      if (!source || !target || !out || labels.has(id)) return []
      const begin = { x: source.node.x + out.x, y: source.node.y + out.y }
      if (output === 'next' && down.has(from)) return svgPath([begin, { x: begin.x, y: target.node.y }])
      const end = { x: target.node.x, y: target.node.y + entryPx }
      return svgPath(wayPoints(begin, end, plainTurns(begin, end)))
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
  const view = firstViewport(graph)
  if (!view || nonce === undefined) return null
  const { x, y, zoom } = view
  const steps = inFirstSight(graph.nodes, view)
  const part = firstPartOf(graph, view)
  const drawn = drawnEdges(graph)
  const labels = outputLabels(part, drawn, node => leadsTo(t, node, names))
  const places = [
    `.flow-still-plane{transform:translate(${x}px,${y}px) scale(${zoom})}`,
    ...steps.map((node, i) => `.flow-still-plane>:nth-child(${i + 2}){left:${node.x}px;top:${node.y}px}`),
  ]
  return (
    <>
      <style nonce={nonce}>{places.join('')}</style>
      <div className="flow-still-plane">
        <svg aria-hidden="true">
          <path d={linesIn(part, drawn)} />
        </svg>
        {steps.map(node => (
          <StepCard
            key={node.id}
            node={node}
            connected={part.edges.flatMap(({ from, output }) => (from === node.id ? [output] : []))}
            labels={labels.get(node.id) ?? []}
            isDown={drawn.down.has(node.id)}
            names={names}
            isSelected={false}
            hasError={false}
            besides={node.type === 'start' ? beginsBy : jumpText(t, node, graph)}
            isReadOnly={isReadOnly}
            trail={undefined}
            hasFigures={false}
            End={End}
            Exit={Exit}
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
