import type { FlowChange } from '#shared/flows/change.ts'
import type { SessionState } from '#shared/flows/runs.ts'
import type { Present } from '#shared/inbox/presence.ts'

interface OfSession {
  sessionId: string
  flowId: string
  conversationId: string
}

/** What happens to flows, and to who is in one. */
export interface FlowEvents {
  /**
   * `readdressed`: programs begin it elsewhere. `moved`: it stands elsewhere in the order, as others may; once for all of
   * them. `revision`: of the draft that was saved.
   */
  'flow.changed': { flowId: string; name: string; change: FlowChange; revision?: number }
  /** Somebody has its editor open, draws in it, or left it. */
  'flow.presence': { flowId: string; person: Present; isGone: boolean }
  'flow.started': OfSession
  /** `reason`: why it was handed off, as a code. */
  'flow.ended': OfSession & { state: SessionState; reason: string | null }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends FlowEvents {}
}
