import type { DeliveryFailure, DeliveryState, StopReason } from '#shared/outgoing-webhooks/api.ts'

/** An address of another program, identified by name. `sealed` is encrypted for this row only. */
export interface OutgoingWebhookTable {
  org_id: string
  name: string
  url: string
  sealed: string
  /** 0/1 */
  active: number
  /** Why it was deactivated automatically. Null: it was not. */
  stopped_for: StopReason | null
  created_at: string
  changed_at: string
  changed_by: string
}

/** A delivery. Columns from `attempted_at` on are of the last attempt; null: there was none. */
export interface WebhookDeliveryTable {
  id: string
  org_id: string
  webhook: string
  type: string
  /** The exact bytes that are sent. */
  body: string
  state: DeliveryState
  attempts: number
  created_at: string
  attempted_at: string | null
  status: number | null
  failure: DeliveryFailure | null
  answer: string | null
  took_ms: number | null
}

export interface OutgoingWebhookTables {
  outgoing_webhook: OutgoingWebhookTable
  webhook_delivery: WebhookDeliveryTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends OutgoingWebhookTables {}
}
