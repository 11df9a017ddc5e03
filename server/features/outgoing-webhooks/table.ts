import type { DeliveryFailure, DeliveryState, StopReason } from '#shared/outgoing-webhooks/api.ts'

/** An address of another program, known by its name. `sealed` opens in this row alone. */
export interface OutgoingWebhookTable {
  org_id: string
  name: string
  url: string
  sealed: string
  /** 0/1 */
  active: number
  /** Why it was switched off by itself; null: it was not. */
  stopped_for: StopReason | null
  created_at: string
  changed_at: string
  changed_by: string
}

/** What one was told. Columns from `attempted_at` on are of the last attempt; null: there was none. */
export interface WebhookDeliveryTable {
  id: string
  org_id: string
  webhook: string
  type: string
  /** As it is sent, byte for byte. */
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
