import type { FlowChange } from '#shared/flows/change.ts'
import type { SessionState } from '#shared/flows/runs/runs.ts'
import type { Present } from '#shared/inbox/presence.ts'

interface OfSession {
  sessionId: string
  flowId: string
  conversationId: string
}

/** Events of flows and their sessions. */
interface FlowEvents {
  /**
   * `readdressed`: its webhook address was replaced. `moved`: the order changed, perhaps also of other flows; one event
   * for all. `revision`: of the saved draft.
   */
  'flow.changed': { flowId: string; name: string; change: FlowChange; revision?: number }
  /** A member opened its editor, edits, or left. */
  'flow.presence': { flowId: string; person: Present; isGone: boolean }
  'flow.started': OfSession
  /** `reason`: the code of a handover. */
  'flow.ended': OfSession & { state: SessionState; reason: string | null }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends FlowEvents {}
}
