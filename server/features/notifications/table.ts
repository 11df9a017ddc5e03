import type { Generated } from 'kysely'

export interface NotificationTable {
  id: string
  org_id: string
  user_id: string
  /** JSON `{ key, params }`, to be said in the reader's language; null: one from before they were kept. */
  words: string | null
  /** What one without `words` says, as it was written. */
  old_title: string | null
  old_message: string | null
  redirect: string | null
  created_at: string
  viewed_at: string | null
  /** What it is about, if it is a conversation; of each a person has one unread notification at most. */
  conversation_id: string | null
  /** How often it was told while unread. */
  count: Generated<number>
  /** Sorts like the ids, by when it was told last. */
  place: string
}

/** How a person wants to be told; no row: the defaults of the contract. */
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

/** Organizations that are silent for a person. */
export interface NotificationMuteTable {
  org_id: string
  user_id: string
  created_at: string
}

/** Conversations that are silent for a person. */
export interface ConversationMuteTable {
  org_id: string
  user_id: string
  conversation_id: string
  created_at: string
}

export interface NotificationTables {
  notification: NotificationTable
  notification_setting: NotificationSettingTable
  notification_mute: NotificationMuteTable
  conversation_mute: ConversationMuteTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends NotificationTables {}
}
