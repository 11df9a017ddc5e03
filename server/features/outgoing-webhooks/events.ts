import type { StopReason } from '#shared/outgoing-webhooks/api.ts'

interface OutgoingWebhookEvents {
  /** A webhook was deactivated because deliveries failed. */
  'outgoingWebhook.stopped': { name: string; reason: StopReason }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends OutgoingWebhookEvents {}
}
