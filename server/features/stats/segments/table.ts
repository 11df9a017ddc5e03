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
  /** JSON: beginnings and ends in turn, in ms since `started_at`. */
  waits: string
  messages_in: number
  messages_out: number
  seed_owner_id: string | null
  seed_team_id: string | null
  seed_bulk_at: string | null
}

/** How far the messages of a conversation have been read into its segments, in the order in which they were said. */
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
    /** Conversations whose segments are to be made again. */
    conversation_segment_due: { conversation_id: string; org_id: string }
    /** How far messages have been read into segments, in the order in which they arrived. */
    conversation_segment_read: { name: 'message'; seq: number }
  }
}
