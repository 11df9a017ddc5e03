import type { ComponentType } from 'react'
import type { FlowNames, FlowsT } from '#client/flows/words.ts'
import type { FlowGraph, FlowNode, FlowNodeType, NodeOf } from '#shared/flows/graph.ts'

export interface NodeFormProps<Node> {
  /** With the letter that was typed just now. */
  readonly node: Node
  readonly graph: FlowGraph
  /** How a step is called among others. */
  nameOf(step: FlowNode): string
  /** Saves what is drawn; false: that failed. */
  flush(): Promise<boolean>
}

/** What the editor knows of one kind of node; each kind is a file of this folder. Its texts are `flows:node` and `nodeHint`. */
export interface NodeLook<T extends FlowNodeType> {
  /** A path on a grid of 24 pixels. */
  readonly icon: string
  /** The color of the icon. Absent: the color of what speaks to the customer. */
  readonly tone?: 'asks' | 'decides' | 'waits' | 'person' | 'ends'
  /** What the node says or does. Absent, or empty: its kind says it all. */
  says?(node: NodeOf<T>, t: FlowsT, names: FlowNames): string
  /** What the customer reads of it, where the node does not hold the text itself. */
  reads?(node: NodeOf<T>, names: FlowNames): string
  readonly Form?: ComponentType<NodeFormProps<NodeOf<T>>>
}
