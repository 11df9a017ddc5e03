import type { ColumnType, Generated } from 'kysely'
import type { Control } from '#server/messaging/events.ts'
import type { ContactFieldKind } from '#shared/contacts/fields.ts'
import type { ImportState } from '#shared/contacts/imports.ts'

/** Rows as they lie in the database: ISO text for times, 0/1 for flags, JSON text for documents. */
export interface ContactTable {
  id: string
  org_id: string
  name: string | null
  profile_name: string | null
  /** In the phone's address book, or as a group calls itself; `name` is the same until a person changes it. */
  outside_name: Generated<string | null>
  outside_name_at: Generated<string | null>
  username: string | null
  wa_id: string | null
  bsuid: string | null
  /** An `OptOut` as JSON; null: they may get marketing. */
  opt_out: Generated<string | null>
  /** What the team noted of them. */
  note: Generated<string | null>
  /** A group of people is one contact, apart from each of them. */
  is_group: Generated<number>
  /** Null: not blocked. */
  blocked_at: Generated<string | null>
  blocked_by: Generated<string | null>
  /** Folded names and digits of the contact. @see contactSearchText */
  search: Generated<string>
  created_at: string
  updated_at: string
}

export interface ContactIdentityTable {
  org_id: string
  kind: 'phone' | 'bsuid' | 'username' | 'other'
  match_key: string
  value: string
  contact_id: string
  seen_at: string
}

export interface ContactFieldTable {
  id: string
  org_id: string
  label: string
  kind: ContactFieldKind
  /** JSON */
  options: string
}

export interface ChatPresenceTable {
  conversation_id: string
  /** A person's id, or a key's. */
  person_id: string
  org_id: string
  name: string
  looks_until: string
  /** Null: only looks. */
  writes_until: string | null
}

/** Contacts that a person made one, for as long as it can be undone. */
export interface ContactMergeTable {
  id: string
  org_id: string
  /** The one that stayed. */
  contact_id: string
  /** What the one that is gone was called. */
  name: string
  by_name: string
  merged_at: string
  undo_until: string
  /** JSON: both as they were, and what became of them. */
  moved: string | null
}

/** A message that a merge took out of a conversation. */
export interface ContactMergeMessageTable {
  merge_id: string
  message_id: string
  org_id: string
  conversation_id: string
}

/** A file of contacts that is, or was, taken in. */
export interface ContactImportTable {
  id: string
  org_id: string
  file: string
  author_name: string
  state: ImportState
  /** JSON: its text and what its columns hold; null once it is over. */
  request: string | null
  row_count: number
  /** The last row that was looked at, as a spreadsheet counts. */
  place: Generated<number>
  done: Generated<number>
  created: Generated<number>
  updated: Generated<number>
  unchanged: Generated<number>
  refused: Generated<number>
  /** JSON: rows that were refused, by their numbers and never by what is in them. */
  faults: string
  created_at: string
  /** When open pages were last told. */
  announced_at: string
  ended_at: string | null
}

/** What a person is writing in a chat and has not sent. */
export interface ChatDraftTable {
  conversation_id: string
  person_id: string
  org_id: string
  name: string
  text: string
  /** Id of the message it answers, which may be gone. */
  reply_to: Generated<string | null>
  saved_at: string
}

/** To whom conversations go by themselves: in the organization, or in one of its teams. */
export interface AssignmentRuleTable {
  org_id: string
  /** Empty: the organization's. */
  team_id: string
  way: string
  /** Open conversations of one person; null: without limit. */
  most: number | null
  /** 0/1 */
  to_last: number
  /** Whose turn was last. */
  last_user_id: string | null
}

/** What somebody said of being there; no row: they are while the organization attends. */
export interface AvailabilityTable {
  org_id: string
  user_id: string
  state: string
  changed_at: string
}

export interface ContactValueTable {
  contact_id: string
  field_id: string
  org_id: string
  value: string
}

export interface ConversationTable {
  id: string
  org_id: string
  contact_id: string
  /** The number it is held on: one conversation for each contact and number. */
  connection_id: string
  /** Of a real number or of the simulator's; the same as its number's. */
  kind: Generated<'cloud' | 'sandbox'>
  control: Control
  assignee_id: string | null
  /** The person who answers it although it is assigned to nobody. Says something as long as `control` is `human`. */
  taken_by: Generated<string | null>
  team_id: ColumnType<string | null, string | null | undefined>
  archived: number
  unread: number
  window_closes_at: string | null
  /** Until when Meta takes nothing; null: never did. */
  free_until: Generated<string | null>
  last_activity_at: string
  last_message_seq: number | null
  last_message_at: string | null
  last_message_text: string | null
  last_message_type: string | null
  last_message_direction: string | null
  last_message_status: string | null
  last_inbound_wamid: string | null
  last_human_event_at: string | null
  /** Of an archived one: who had it when it was archived. */
  control_before_archive: Generated<Control | null>
  created_at: string
}

export interface MessageTable {
  seq: Generated<number>
  id: string
  org_id: string
  conversation_id: string
  wamid: string | null
  direction: string
  type: string
  text: string
  content: string | null
  at: string
  status: string
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
  error_code: string | null
  error_detail: string | null
  unconfirmed: Generated<number>
  reply_to_wamid: string | null
  author_kind: string | null
  author_id: string | null
  author_name: string | null
  client_key: string | null
  edited_at: string | null
  revoked_at: string | null
  /** What is sent, where kind and text do not say it all: an `OutboundMessage` as JSON. */
  outbound: Generated<string | null>
}

export interface ReactionTable {
  message_id: string
  org_id: string
  by: string
  emoji: string
  at: string
}

export interface PendingEffectTable {
  seq: Generated<number>
  org_id: string
  wamid: string
  effect: string
  received_at: string
}

/** A message that is to be sent later; it goes when it is sent, or cancelled. */
export interface ScheduledMessageTable {
  id: string
  org_id: string
  conversation_id: string
  author_kind: 'person' | 'key'
  author_id: string
  author_name: string
  text: string
  /** ISO 8601 UTC */
  due_at: string
  /** 0/1: gone once the customer writes before. */
  ends_on_reply: number
  /** Code of what kept it from being sent when it was due; null: it waits. */
  held_code: string | null
  created_at: string
}

export interface InboxTables {
  contact: ContactTable
  contact_identity: ContactIdentityTable
  contact_field: ContactFieldTable
  contact_import: ContactImportTable
  contact_merge: ContactMergeTable
  contact_merge_message: ContactMergeMessageTable
  contact_value: ContactValueTable
  assignment_rule: AssignmentRuleTable
  availability: AvailabilityTable
  chat_draft: ChatDraftTable
  chat_presence: ChatPresenceTable
  conversation: ConversationTable
  message: MessageTable
  reaction: ReactionTable
  scheduled_message: ScheduledMessageTable
  pending_effect: PendingEffectTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends InboxTables {}
}
