import type { StopReason } from '#shared/outgoing-webhooks/api.ts'

/** What happens to addresses of other programs. */
export interface OutgoingWebhookEvents {
  /** One was switched off by itself, because nothing reached it. */
  'outgoingWebhook.stopped': { name: string; reason: StopReason }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends OutgoingWebhookEvents {}
}
