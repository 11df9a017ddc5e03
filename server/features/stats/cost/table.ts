import type { Charge, SentCategory, SentSource } from '#shared/stats/cost.ts'

/** The columns by which sums of sent messages are grouped. */
export interface SentKey {
  readonly org_id: string
  /** The day on the organization's clock when the message was counted. */
  readonly day: string
  readonly connection_id: string
  /** ISO 3166-1 alpha-2; `??`: unknown. */
  readonly country: string
  readonly category: SentCategory
  readonly charge: Charge
  readonly source: SentSource
  /** Its name; empty: a reply. */
  readonly template: string
}

export type SentState = 'sent' | 'delivered' | 'read' | 'failed'

/** A message that Meta may bill, as it was counted. */
export interface SentMessageTable extends SentKey {
  readonly message_id: string
  /** Null: the contact was erased. */
  readonly conversation_id: string | null
  readonly at: string
  readonly state: SentState
  readonly replied: number
  readonly opted_out: number
}

export interface SentCounts {
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly replied: number
  readonly opted_out: number
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    sent_message: SentMessageTable
    sent_day: SentKey & SentCounts
    /** Messages whose status changed after they were counted. */
    sent_message_due: { message_id: string; org_id: string; opted_out: number }
    /** Messages have been counted up to this one, in the order in which they arrived. */
    sent_message_read: { name: 'message'; seq: number }
    /** Replies that Meta bills in a month, and the percentage of the free ones that people were notified of. */
    reply_month: { connection_id: string; month: string; org_id: string; count: number; notified: number }
  }
}
