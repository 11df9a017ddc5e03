import type { FlowNames, FlowsT } from '#client/flows/words.ts'
import type { FlowNodeType, NodeOf } from '#shared/flows/graph.ts'

/** How the editor and the run pages show one kind of node. Its texts are `flows:node` and `nodeHint`. */
export interface NodeLook<T extends FlowNodeType> {
  /** A path on a grid of 24 pixels. */
  readonly icon: string
  /** The color of the icon. Absent: the color of steps that send a message. */
  readonly tone?: 'asks' | 'decides' | 'waits' | 'person' | 'ends'
  /** What the node says or does, as a text. Absent or empty: its title is enough. */
  says?(node: NodeOf<T>, t: FlowsT, names: FlowNames): string
  /** The text that the customer reads, where it is not part of the node. */
  reads?(node: NodeOf<T>, names: FlowNames): string
}
