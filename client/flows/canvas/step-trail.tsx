import { useTranslation } from 'react-i18next'
import { type FlowGraph, indexGraph, outputsOf } from '#shared/flows/graph.ts'
import type { CallFacts } from '#shared/flows/http/http.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import { readInside } from '#shared/flows/subflows.ts'
import { callText, whyText } from '../runs/run-words.ts'
import { listedAs } from '../step-words.ts'
import { type FlowsT, outputLabel } from '../words.ts'
import { NodeIcon } from './node-icon.tsx'
import './step-trail.css'

interface TrailStep {
  readonly nodeId: string
  readonly input: string | null
  readonly output: string | null
  readonly why: string | null
  readonly changes: Readonly<Record<string, { readonly before: string | null; readonly after: string }>>
  readonly call: CallFacts | null
}

interface StepTrailProps {
  readonly steps: readonly TrailStep[]
  readonly graph: FlowGraph
  readonly names: FlowNames
  /** The time of the step at this index, formatted. */
  timeOf?(place: number): string
  /** The index of the highlighted step. */
  readonly marked?: number | undefined
  onStep?(nodeId: string): void
}

/** The text of a step that is not in the graph. */
const insideText = (t: FlowsT, nodeId: string, names: FlowNames): string => {
  const at = readInside(nodeId)
  const name = at && names.flows.get(at.flowId)
  return name === undefined ? t('trail.gone') : t('trail.inside', { name })
}

/** Each step with its input, its action and reason, changed variables and the chosen output. */
export function StepTrail({ steps, graph, names, timeOf, marked, onStep }: StepTrailProps) {
  const { t } = useTranslation('flows')
  const index = indexGraph(graph)
  return (
    <ol className="flow-trail">
      {steps.map(({ nodeId, input, output, why, changes, call }, place) => {
        const node = index.node(nodeId)
        const title = node ? listedAs(t, node, names) : insideText(t, nodeId, names)
        const parts = [
          whyText(t, why),
          call ? callText(t, call) : '',
          node && output !== null && outputsOf(node).length > 1
            ? t('trail.output', { output: outputLabel(t, node, output) })
            : '',
        ]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are parts by their place
          <li key={place} aria-current={marked === place ? 'step' : undefined}>
            {node ? <NodeIcon type={node.type} /> : <span />}
            <div>
              {node && onStep ? (
                <button type="button" className="link cut" onClick={() => onStep(nodeId)}>
                  {title}
                </button>
              ) : (
                <b className="cut">{title}</b>
              )}
              {timeOf ? <small>{timeOf(place)}</small> : null}
              {input === null ? null : <q>{input}</q>}
              {parts.some(Boolean) ? <span>{parts.filter(Boolean).join(' · ')}</span> : null}
              {Object.entries(changes).map(([name, { before, after }]) => (
                <code key={name}>
                  <bdi>{name}</bdi>: {before === null ? '' : `${before} → `}
                  {after || t('play.empty')}
                </code>
              ))}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
