import { type ComponentType, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { WaText } from '#client/templates/wa-text.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type FlowNode, nodeKind } from '#shared/flows/graph.ts'
import type { EditorFacts } from '../editor/editor-context.ts'
import { messageTextBeside, sayingOf } from '../step-words.ts'
import { cut, outputLabel, titleOf, variableName, withVariableNames } from '../words.ts'
import type { OutputLabel } from './lines.ts'
import { NodeIcon } from './node-icon.tsx'
import { cardOutputs } from './rough-size.ts'
import { OutputFigure, StepFigures } from './step-figures.tsx'

/** A handle of a card, at which edges begin or end. */
export interface CardEnd {
  /** Undefined: the input handle. */
  readonly output?: string
  /** True: the output is at the bottom of the card and leads to the step below. */
  readonly isDown?: boolean
  readonly isConnectable: boolean
}

/** The text at an output: nothing follows yet, or the name of the step that follows. */
export interface CardExit {
  readonly nodeId: string
  readonly output: string
  /** The step and output, in words. */
  readonly about: string
  readonly label: OutputLabel | undefined
}

interface StepCardProps extends Pick<EditorFacts, 'names' | 'isReadOnly' | 'trail'> {
  readonly node: FlowNode
  readonly connected: readonly string[]
  readonly labels: readonly OutputLabel[]
  readonly isDown: boolean
  readonly isSelected: boolean
  readonly hasError: boolean
  /** Information from elsewhere: at the start its triggers, at a jump its target. */
  readonly besides: string
  readonly hasFigures: boolean
  readonly End: ComponentType<CardEnd>
  readonly Exit: ComponentType<CardExit>
}

/** The step that follows at an output: an arrow and its name. */
export const ExitName = ({ label }: { readonly label: OutputLabel }) => (
  <>
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M5 12h14m-6-6 6 6-6 6" />
    </svg>
    <span className="cut" dir="auto">
      {label.title}
    </span>
  </>
)

type OutputProps = Pick<StepCardProps, 'node' | 'connected' | 'labels' | 'isReadOnly' | 'trail' | 'End' | 'Exit'> & {
  readonly output: string
  readonly className: string
  readonly hasFigures: boolean
}

/** One output on a row of its own: its name, and how it continues. */
function Output({ node, output, className, connected, labels, isReadOnly, trail, hasFigures, End, Exit }: OutputProps) {
  const { t } = useTranslation('flows')
  const name = outputLabel(t, node, output)
  const isEnd = node.ends?.includes(output) === true
  const label = labels.find(one => one.output === output)
  const isOpen = !isEnd && !connected.includes(output)
  const isTap = className === 'flow-card-tap'
  return (
    <div className={className} data-taken={trail?.ways.has(`${node.id} ${output}`)}>
      {isTap ? <Icon name="reply" /> : null}
      {isEnd && output === 'next' ? null : (
        <span className="cut">
          <bdi>{name}</bdi>
        </span>
      )}
      {hasFigures ? <OutputFigure id={node.id} output={output} /> : null}
      {isEnd ? <span className="flow-exit">{t('outline.ends')}</span> : null}
      {label || (isOpen && !isReadOnly) ? (
        <Exit nodeId={node.id} output={output} label={label} about={`${titleOf(t, node)}, ${name}`} />
      ) : null}
      <End output={output} isConnectable={!isReadOnly} />
    </div>
  )
}

/** Memoized, so that only changed steps render: there are hundreds, and typing changes one. */
export const StepCard = memo(function StepCard(props: StepCardProps) {
  const { node, connected, names, isDown, isSelected, hasError, besides, isReadOnly, trail, hasFigures, End, Exit } =
    props
  const { t } = useTranslation('flows')
  const { taps, rows, bare } = cardOutputs(node, isDown)
  const sendsMessage = nodeKind(node).sendsMessage === true
  const says = besides || sayingOf(t, node, names)
  const messageText = sendsMessage ? says : messageTextBeside(node, names)
  const title = titleOf(t, node)
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
      {bare ? <End output={bare} isDown={isDown} isConnectable={!isReadOnly} /> : null}
      {bare && !connected.includes(bare) && !isReadOnly ? (
        <Exit nodeId={node.id} output={bare} label={undefined} about={title} />
      ) : null}
      <div className="flow-card-head">
        <NodeIcon type={node.type} />
        <b className="cut">{title}</b>
        {trail?.at === node.id ? <span className="chip flow-here">{t('trail.here')}</span> : null}
        {hasError ? <span className="flow-card-problem" role="img" aria-label={t('canvas.hasProblem')} /> : null}
      </div>
      {/* Seen instead of the card's content where the canvas is zoomed out. */}
      <p className="flow-card-far" dir="auto" aria-hidden="true">
        {node.name || (node.type === 'start' ? title : cut(withVariableNames(t, messageText || says), 60) || title)}
      </p>
      {hasFigures ? <StepFigures id={node.id} /> : null}
      {sendsMessage || messageText ? (
        <div className="flow-card-bubble">
          <p className={messageText ? 'flow-card-says' : 'flow-card-says flow-card-missing'}>
            {messageText ? (
              <WaText text={messageText} values={undefined} nameOf={name => variableName(t, name)} />
            ) : (
              t('previewEmpty')
            )}
          </p>
          {taps.map(output => (
            <Output key={output} {...props} output={output} className="flow-card-tap" />
          ))}
        </div>
      ) : null}
      {says && !sendsMessage ? <p className="flow-card-says">{says}</p> : null}
      {rows.map(output => (
        <Output key={output} {...props} output={output} className="flow-card-output" />
      ))}
    </div>
  )
})
