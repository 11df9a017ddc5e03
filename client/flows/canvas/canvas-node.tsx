import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { useEditorFacts } from '#client/flows/editor/editor-context.ts'
import type { FlowNode } from '#shared/flows/graph.ts'
import { type CardEnd, StepCard } from './step-card.tsx'

interface StepData {
  readonly [key: string]: unknown
  readonly node: FlowNode
  readonly connected: readonly string[]
  /** The target of a jump, in words. */
  readonly leads: string
}
export type CanvasNode = Node<StepData, 'step'>

const End = ({ output, isConnectable }: CardEnd) =>
  output === undefined ? (
    <Handle type="target" position={Position.Left} isConnectable={isConnectable} />
  ) : (
    <Handle type="source" id={output} position={Position.Right} isConnectable={isConnectable} />
  )

/** A step on the canvas: what it sends, in WhatsApp's formatting, and a handle for each output. */
export const CanvasNodeView = memo(function CanvasNodeView({ data, selected }: NodeProps<CanvasNode>) {
  const { names, errorIds, beginsBy, isReadOnly, trail, figures } = useEditorFacts()
  const { node, connected, leads } = data
  return (
    <StepCard
      node={node}
      connected={connected}
      names={names}
      isSelected={selected}
      hasError={errorIds.has(node.id)}
      besides={node.type === 'start' ? beginsBy : leads}
      isReadOnly={isReadOnly}
      trail={trail}
      hasFigures={figures !== undefined}
      End={End}
    />
  )
})
