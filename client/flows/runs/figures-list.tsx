import { useTranslation } from 'react-i18next'
import type { EndpointReply } from '#client/app/queries/queries.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { countdown } from '#shared/kernel/time.ts'
import { type StepFigures, useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { listedAs } from '../step-words.ts'

const shareOf = ({ gaveUp, entered }: StepFigures): number => (entered ? gaveUp / entered : 0)

interface FiguresListProps {
  readonly graph: FlowGraph
  readonly figures: EndpointReply<'flows.figures'>
  onClose(): void
}

/** The figures of each step, sorted by how many customers gave up there. */
export function FiguresList({ graph, figures, onClose }: FiguresListProps) {
  const { t } = useTranslation('flows')
  const { reveal } = useEditorActions()
  const { names } = useEditorFacts()
  const drawn = new Map(graph.nodes.map(node => [node.id, node]))
  const steps = figures.nodes
    .flatMap(one => {
      const node = drawn.get(one.nodeId)
      return node ? [{ ...one, node }] : []
    })
    .sort((a, b) => shareOf(b) - shareOf(a) || b.entered - a.entered)
  return (
    <aside className="flow-panel" aria-label={t('figures.title')}>
      <div className="flow-panel-head">
        <Icon name="chart" />
        <h2 className="cut">{t('figures.title')}</h2>
        <button type="button" className="icon-button" aria-label={t('closePanel')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <p className="flow-panel-note">
        {figures.runs ? `${t('figures.of', { count: figures.runs })} ${t('figures.order')}` : t('figures.none')}
      </p>
      <ul className="flow-problems">
        {steps.map(one => {
          const { nodeId, node, entered, here, gaveUp, medianMs } = one
          return (
            <li key={nodeId}>
              <button type="button" onClick={() => reveal(nodeId)}>
                <b>{listedAs(t, node, names)}</b>
                <span className="flow-figures">
                  <span>{t('figures.entered', { count: entered })}</span>
                  {here ? <span>{t('figures.here', { count: here })}</span> : null}
                  {gaveUp ? (
                    <b>{t('figures.share', { count: gaveUp, percent: Math.round(shareOf(one) * 100) })}</b>
                  ) : null}
                  {medianMs === null ? null : <span>{t('figures.median', { time: countdown(medianMs) })}</span>}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </aside>
  )
}
