import type { CallResult } from '#shared/flows/http/http.ts'
import type { FlowInput } from './advance-types.ts'
import type { Next, RunningSession } from './running-session.ts'

/** The behaviour of a kind of node in a session. Every function records its steps in the session. */
export interface NodeStep<Node> {
  /** The session comes to the node. */
  enter(node: Node, session: RunningSession): Next
  /** The customer wrote while the session stood at the node. Absent: nobody waits for a message there. */
  onMessage?(node: Node, message: Extract<FlowInput, { kind: 'message' }>, session: RunningSession): Next
  /** The time came that the session waited for. Undefined: the session expires. */
  onTime?(node: Node, session: RunningSession): Next | undefined
  /** The call that the node made has a result. */
  onCall?(node: Node, result: CallResult, session: RunningSession): Next
}
