import type { ConnectionStatus } from '#shared/numbers/api.ts'

interface NumbersEvents {
  /** Connected, disconnected (`status` null), or another status. `reason`: the error code that caused it. */
  'connection.changed': { status: ConnectionStatus | null; phone: string | null; reason: string | null }
  /** Meta's facts about the number changed, or another number is the first now. */
  'connection.read': { status: ConnectionStatus; phone: string }
  /**
   * WhatsApp limits a whole number: nothing may be sent through it before `until`. `attemptedAt`: when the refused call
   * began, which orders late answers.
   */
  'connection.paused': { connectionId: string; until: string; attemptedAt: string }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends NumbersEvents {}
}
