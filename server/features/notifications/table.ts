import type { Generated } from 'kysely'

export interface NotificationTable {
  id: string
  org_id: string
  user_id: string
  /** JSON `{ key, params }`, translated for the reader. Null: stored before this column existed. */
  words: string | null
  /** The text of one without `words`. */
  old_title: string | null
  old_message: string | null
  redirect: string | null
  created_at: string
  viewed_at: string | null
  /** The conversation it is about. A person has at most one unread notification per conversation. */
  conversation_id: string | null
  /** Things that happened in its conversation while it was unread. */
  count: Generated<number>
  /** Sorts like ids, by when it was last renewed. */
  place: string
}

/** A person's settings. No row: the contract's defaults. */
export interface NotificationSettingTable {
  user_id: string
  toast: number
  sound: number
  desktop: number
  push: number
  quiet_from: string | null
  quiet_to: string | null
  quiet_zone: string | null
  updated_at: string
}

/** Organizations a person muted. */
interface NotificationMuteTable {
  org_id: string
  user_id: string
  created_at: string
}

/** Conversations a person muted. */
interface ConversationMuteTable {
  org_id: string
  user_id: string
  conversation_id: string
  created_at: string
}

interface NotificationTables {
  notification: NotificationTable
  notification_setting: NotificationSettingTable
  notification_mute: NotificationMuteTable
  conversation_mute: ConversationMuteTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends NotificationTables {}
}
