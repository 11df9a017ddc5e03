import type { DeliveryFailure, DeliveryState, StopReason, WebhookFormat } from '#shared/outgoing-webhooks/api.ts'

/** An address of another program, identified by name. Encrypted values are encrypted for this row only. */
export interface OutgoingWebhookTable {
  org_id: string
  name: string
  url: string
  /** The secret, encrypted. */
  sealed: string
  /** The secret before it, encrypted. It signs, too, until `former_until`. */
  former_sealed: string | null
  former_until: string | null
  /** Additional headers by name, as encrypted JSON. */
  headers: string | null
  /** A list of `WebhookType` as JSON. */
  events: string
  /** A `WebhookFilter` as JSON. */
  filter: string | null
  format: WebhookFormat
  /** The verify token of a webhook of format `meta`, encrypted. */
  verify_token: string | null
  /** 0/1 */
  active: number
  /** Why it was deactivated automatically. Null: it was not. */
  stopped_for: StopReason | null
  created_at: string
  changed_at: string
  changed_by: string
}

/** The body of deliveries, stored once for all webhooks that get it. */
interface WebhookEventTable {
  id: string
  org_id: string
  type: string
  /** The exact bytes that are sent. */
  body: string
  /** Deliveries of one webhook with the same line are sent in order. Null: in any order. */
  line: string | null
  created_at: string
}

/** A delivery. Columns from `attempted_at` on are of the last attempt; null: there was none. */
export interface WebhookDeliveryTable {
  id: string
  org_id: string
  webhook: string
  event_id: string
  type: string
  state: DeliveryState
  attempts: number
  created_at: string
  attempted_at: string | null
  status: number | null
  failure: DeliveryFailure | null
  answer: string | null
  took_ms: number | null
}

interface OutgoingWebhookTables {
  outgoing_webhook: OutgoingWebhookTable
  webhook_event: WebhookEventTable
  webhook_delivery: WebhookDeliveryTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends OutgoingWebhookTables {}
}
