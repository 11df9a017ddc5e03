import type { ComponentType } from 'react'
import type { FlowGraph, FlowNode, FlowNodeType } from '#shared/flows/graph.ts'

export interface NodeFormProps<Node> {
  /** Including the letter just typed. */
  readonly node: Node
  readonly graph: FlowGraph
  /** The name of a step in a list of steps. */
  nameOf(step: FlowNode): string
  /** Saves the draft; false: that failed. */
  flush(): Promise<boolean>
}

/** The build finds the form of a kind by its file's name. A kind without content has none. */
const files = import.meta.glob<ComponentType<NodeFormProps<FlowNode>>>('./*.tsx', {
  eager: true,
  import: 'default',
})

/** The form for the content of a kind of node. Only the panel imports it, because forms are heavy. */
export const nodeForm = (type: FlowNodeType): ComponentType<NodeFormProps<FlowNode>> | undefined =>
  files[`./${type}.tsx`]
