import type { Origin } from '#shared/stats/definitions.ts'

/** Times are ISO 8601 UTC text, flags 0 or 1. @see Segment */
export interface ConversationSegmentTable {
  id: string
  org_id: string
  conversation_id: string | null
  connection_id: string
  kind: 'cloud' | 'sandbox'
  started_at: string
  start_seq: number
  last_at: string
  resolved_at: string | null
  is_last: number
  owner_id: string | null
  team_id: string | null
  origin: Origin
  has_bot: number
  handed_at: string | null
  first_reply_at: string | null
  first_reply_by: string | null
  waiting_since: string | null
  /** JSON `[from, to, from, to, …]`: the answered waits of the customer, in ms since `started_at`. */
  waits: string
  messages_in: number
  messages_out: number
  seed_owner_id: string | null
  seed_team_id: string | null
  seed_bulk_at: string | null
}

/** The last message of a conversation that was read into its segments, by `at` and `seq`, and the state after it. */
export interface ConversationSegmentPlaceTable {
  conversation_id: string
  org_id: string
  at: string
  seq: number
  owner_id: string | null
  team_id: string | null
  bulk_at: string | null
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    conversation_segment: ConversationSegmentTable
    conversation_segment_place: ConversationSegmentPlaceTable
    /** Conversations whose segments must be rebuilt. */
    conversation_segment_due: { conversation_id: string; org_id: string }
    /** One row: the `seq` of the last message that was read into segments. */
    conversation_segment_read: { name: 'message'; seq: number }
  }
}
