import type { ConnectionStatus } from '#shared/numbers/api.ts'

/** What happens to an organization's WhatsApp connection. */
export interface NumbersEvents {
  /** Connected, lost (`status` null) or in another state; `reason`: the code of the failure that caused it. */
  'connection.changed': { status: ConnectionStatus | null; phone: string | null; reason: string | null }
  /** It stands otherwise with Meta than when it was asked before, or another is the first. */
  'connection.read': { status: ConnectionStatus; phone: string }
  /**
   * WhatsApp holds a whole number back: what waits over it in any chat leaves no earlier than `until`. `attemptedAt`: when
   * the call that tells so began, however late its answer came.
   */
  'connection.paused': { connectionId: string; until: string; attemptedAt: string }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends NumbersEvents {}
}
