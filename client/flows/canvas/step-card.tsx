import { type ComponentType, memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditorFacts } from '#client/flows/editor/editor-context.ts'
import { sayingOf, spokenBeside } from '#client/flows/step-words.ts'
import { outputLabel, titleOf } from '#client/flows/words.ts'
import { WaText } from '#client/templates/wa-text.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type FlowNode, kindOf, outputsOf } from '#shared/flows/graph.ts'
import { NodeIcon } from './node-icon.tsx'
import { OutputFigure, StepFigures } from './step-figures.tsx'

/** A handle of a card, at which edges begin or end. */
export interface CardEnd {
  /** Undefined: the input handle. */
  readonly output?: string
  readonly isConnectable: boolean
}

interface StepCardProps extends Pick<EditorFacts, 'names' | 'isReadOnly' | 'trail'> {
  readonly node: FlowNode
  readonly connected: readonly string[]
  readonly isSelected: boolean
  readonly hasError: boolean
  /** Information from elsewhere: at the start its triggers, at a jump its target. */
  readonly besides: string
  readonly hasFigures: boolean
  readonly End: ComponentType<CardEnd>
}

/** Memoized, so that only changed steps render: there are hundreds, and typing changes one. */
export const StepCard = memo(function StepCard(props: StepCardProps) {
  const { node, connected, names, isSelected, hasError, besides, isReadOnly, trail, hasFigures, End } = props
  const { t } = useTranslation('flows')
  const outputs = outputsOf(node)
  const isSpoken = kindOf(node).isSpoken === true
  const says = besides || sayingOf(t, node, names)
  const spoken = isSpoken ? says : spokenBeside(node, names)
  return (
    <div
      className="flow-card"
      data-selected={isSelected}
      data-color={node.color}
      data-error={hasError}
      data-taken={trail?.nodes.has(node.id)}
      data-here={trail?.at === node.id}
    >
      {node.type === 'start' ? null : <End isConnectable={!isReadOnly} />}
      <div className="flow-card-head">
        <NodeIcon type={node.type} />
        <b className="cut">{titleOf(t, node)}</b>
        {trail?.at === node.id ? <span className="chip flow-here">{t('trail.here')}</span> : null}
        {hasError ? <Icon name="warn" /> : null}
      </div>
      {isSpoken || spoken ? (
        <div className="flow-card-bubble">
          <p className={spoken ? 'flow-card-says' : 'flow-card-says flow-card-missing'}>
            {spoken ? <WaText text={spoken} values={undefined} /> : t('previewEmpty')}
          </p>
        </div>
      ) : null}
      {says && !isSpoken ? <p className="flow-card-says">{says}</p> : null}
      {hasFigures ? <StepFigures id={node.id} /> : null}
      {outputs.map(output => (
        <div
          key={output}
          className="flow-card-output"
          data-open={!connected.includes(output)}
          data-taken={trail?.ways.has(`${node.id} ${output}`)}
        >
          <span className="cut">{outputLabel(t, node, output)}</span>
          {hasFigures ? <OutputFigure id={node.id} output={output} /> : null}
          {node.ends?.includes(output) ? <small>{t('outline.ends')}</small> : null}
          <End output={output} isConnectable={!isReadOnly} />
        </div>
      ))}
    </div>
  )
})
