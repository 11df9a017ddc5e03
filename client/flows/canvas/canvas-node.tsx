import { Handle, type Node, type NodeProps, Position, useUpdateNodeInternals } from '@xyflow/react'
import { memo, type SyntheticEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type FlowNode, nodeKind, outputsOf } from '#shared/flows/graph.ts'
import { AddMenu } from '../editor/add-menu.tsx'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import type { OutputLabel } from './lines.ts'
import { type CardEnd, type CardExit, ExitName, StepCard } from './step-card.tsx'

interface StepData {
  readonly [key: string]: unknown
  readonly node: FlowNode
  readonly connected: readonly string[]
  readonly labels: readonly OutputLabel[]
  readonly isDown: boolean
  /** The target of a jump, in words. */
  readonly leads: string
}
export type CanvasNode = Node<StepData, 'step'>

const End = ({ output, isDown, isConnectable }: CardEnd) =>
  output === undefined ? (
    <Handle type="target" position={Position.Left} isConnectable={isConnectable} />
  ) : (
    <Handle
      type="source"
      id={output}
      position={isDown ? Position.Bottom : Position.Right}
      isConnectable={isConnectable}
    />
  )

/** Otherwise the library would treat a press on the menu as a press on the step. */
const keep = (event: SyntheticEvent) => event.stopPropagation()

const Exit = ({ nodeId, output, label, about }: CardExit) => {
  const { t } = useTranslation('flows')
  const { reveal } = useEditorActions()
  return label ? (
    <button
      type="button"
      className="flow-exit nodrag nokey"
      data-tone={nodeKind(label).tone}
      aria-label={t('outline.joins', { step: label.title })}
      data-tip={t('outline.joins', { step: label.title })}
      onClick={event => {
        event.stopPropagation()
        reveal(label.to)
      }}
    >
      <ExitName label={label} />
    </button>
  ) : (
    // biome-ignore lint/a11y/noStaticElementInteractions: only the menu inside can be pressed
    <span className="flow-plus nodrag nopan nowheel nokey" onClick={keep} onKeyDown={keep}>
      <AddMenu
        place={{ from: nodeId, output }}
        isOpen
        label={t('outline.add')}
        about={about}
        className="flow-plus-button"
      />
    </span>
  )
}

/** A step on the canvas: what it sends, in WhatsApp's formatting, and a handle for each output. */
export const CanvasNodeView = memo(function CanvasNodeView({ id, data, selected }: NodeProps<CanvasNode>) {
  const { names, errorIds, beginsBy, isReadOnly, trail, figures } = useEditorFacts()
  const { node, connected, labels, isDown, leads } = data
  // The library measures handles only when a step changes its size.
  const measure = useUpdateNodeInternals()
  const exits = `${outputsOf(node).join()} ${node.ends?.join() ?? ''} ${isDown}`
  const measured = useRef(exits)
  useEffect(() => {
    if (measured.current === exits) return
    measured.current = exits
    measure(id)
  }, [measure, id, exits])
  return (
    <StepCard
      node={node}
      connected={connected}
      labels={labels}
      isDown={isDown}
      names={names}
      isSelected={selected}
      hasError={errorIds.has(node.id)}
      besides={node.type === 'start' ? beginsBy : leads}
      isReadOnly={isReadOnly}
      trail={trail}
      hasFigures={figures !== undefined}
      End={End}
      Exit={Exit}
    />
  )
})
