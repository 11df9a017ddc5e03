import type { StopReason } from '../outgoing-webhooks.ts'

/** What happens to addresses of other programs. */
export interface OutgoingWebhookEvents {
  /** One was switched off by itself, because nothing reached it. */
  'outgoingWebhook.stopped': { name: string; reason: StopReason }
}
