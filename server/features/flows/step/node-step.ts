import type { CallResult } from '#shared/flows/http.ts'
import type { Next, SessionTurn } from './session-turn.ts'
import type { FlowInput } from './turn.ts'

/** The behaviour of a kind of node in a session. Every function records its steps in `turn`. */
export interface NodeStep<Node> {
  /** The session comes to the node. */
  enter(node: Node, turn: SessionTurn): Next
  /** The customer wrote while the session stood at the node. Absent: nobody waits for a message there. */
  onMessage?(node: Node, message: Extract<FlowInput, { kind: 'message' }>, turn: SessionTurn): Next
  /** The time came that the session waited for. Undefined: the session expires. */
  onTime?(node: Node, turn: SessionTurn): Next | undefined
  /** The call that the node made has a result. */
  onCall?(node: Node, result: CallResult, turn: SessionTurn): Next
}
