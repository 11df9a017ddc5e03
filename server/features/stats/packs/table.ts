/**
 * The segments of an organization that began on one UTC day, newest first, in few bytes. Triggers on
 * `conversation_segment` insert the row of a day, and clear it whenever one of its segments changes.
 */
interface ConversationSegmentPackTable {
  org_id: string
  kind: 'cloud' | 'sandbox'
  /** `2026-11-28` */
  day: string
  /** Set while the pack is being made. A change of the day clears it, and the pack is made again. */
  token: string | null
  /** The packed segments, written by `packDays`. Null: not packed. */
  data: Buffer | null
  /** Ids of the segments, one a line, in the order of `data`. */
  ids: string | null
  /** Ids of their conversations, likewise; an empty line stands for none. */
  conversation_ids: string | null
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    conversation_segment_pack: ConversationSegmentPackTable
  }
}
