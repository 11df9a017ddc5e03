import type { ColumnType, Generated } from 'kysely'
import type { ContactFieldKind } from '#shared/contacts/fields.ts'
import type { ImportState } from '#shared/contacts/imports.ts'
import type { Control } from './events.ts'

/** Rows as stored: ISO text for times, 0/1 for booleans, JSON text for objects. */
export interface ContactTable {
  id: string
  org_id: string
  name: string | null
  profile_name: string | null
  /**
   * The contact's name in the phone's address book, or a group's own name. `name` equals it until a member changes it.
   */
  outside_name: Generated<string | null>
  outside_name_at: Generated<string | null>
  username: string | null
  wa_id: string | null
  bsuid: string | null
  /** An `OptOut` as JSON. Null: may get marketing. */
  opt_out: Generated<string | null>
  /** Internal note. */
  note: Generated<string | null>
  /** A WhatsApp group is one contact, separate from its members. */
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

interface ContactFieldTable {
  id: string
  org_id: string
  label: string
  kind: ContactFieldKind
  /** JSON */
  options: string
}

interface ChatPresenceTable {
  conversation_id: string
  /** A person's or key's id. */
  person_id: string
  org_id: string
  name: string
  looks_until: string
  /** Null: has the chat open, does not write. */
  writes_until: string | null
}

/** Contacts merged by a member, as long as it can be undone. */
interface ContactMergeTable {
  id: string
  org_id: string
  /** The contact that was kept. */
  contact_id: string
  /** Name of the contact that was deleted. */
  name: string
  by_name: string
  merged_at: string
  undo_until: string
  /** JSON: both before the merge, and the state after it. */
  moved: string | null
}

/** A message that a merge moved out of a conversation. */
interface ContactMergeMessageTable {
  merge_id: string
  message_id: string
  org_id: string
  conversation_id: string
}

/** An import of contacts from a file. */
export interface ContactImportTable {
  id: string
  org_id: string
  file: string
  author_name: string
  state: ImportState
  /** JSON: the file's text and its columns. Null after it has ended. */
  request: string | null
  row_count: number
  /** The last row read, as spreadsheets count. */
  place: Generated<number>
  done: Generated<number>
  created: Generated<number>
  updated: Generated<number>
  unchanged: Generated<number>
  refused: Generated<number>
  /** JSON: refused rows by number, without their contents. */
  faults: string
  created_at: string
  /** Open pages were last told of the progress at this time. */
  announced_at: string
  ended_at: string | null
}

/** An unsent text of a person in a chat. */
export interface ChatDraftTable {
  conversation_id: string
  person_id: string
  org_id: string
  name: string
  text: string
  /** Id of the quoted message, which may be deleted. */
  reply_to: Generated<string | null>
  saved_at: string
}

/** A rule of automatic assignment, of the organization or a team. */
interface AssignmentRuleTable {
  org_id: string
  /** Empty: the organization's. */
  team_id: string
  way: string
  /** Limit of open conversations per member. Null: none. */
  most: number | null
  /** 0/1 */
  to_last: number
  /** The member chosen last. */
  last_user_id: string | null
}

/** A member's availability. No row: follows the organization's hours. */
interface AvailabilityTable {
  org_id: string
  user_id: string
  state: string
  changed_at: string
}

interface ContactValueTable {
  contact_id: string
  field_id: string
  org_id: string
  value: string
}

export interface ConversationTable {
  id: string
  org_id: string
  contact_id: string
  /** Our number. One conversation per contact and number. */
  connection_id: string
  /** The kind of its number. */
  kind: Generated<'cloud' | 'sandbox'>
  control: Control
  assignee_id: string | null
  team_id: ColumnType<string | null, string | null | undefined>
  /** 0: open. 1: archived. 2: snoozed; it is in no list of open ones. @see archiveStates */
  archived: number
  unread: number
  /** Unread messages by the count of the system that keeps its messages, as last told. Null: it never told. */
  outside_unread: Generated<number | null>
  window_closes_at: string | null
  /** End of the free entry period. Null: never had one. */
  free_until: Generated<string | null>
  last_activity_at: string
  /** Time of the customer's first message without an answer. Null: they do not wait. */
  waiting_since: Generated<string | null>
  last_message_seq: number | null
  last_message_at: string | null
  last_message_text: string | null
  last_message_type: string | null
  last_message_direction: string | null
  last_message_status: string | null
  last_inbound_wamid: string | null
  last_human_event_at: string | null
  /** Control before it was archived. */
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
  /** The message to send, if type and text do not say everything: an `OutboundMessage` as JSON. */
  outbound: Generated<string | null>
  /** Meta's billing of the message: type and category, such as `regular:marketing`. Null: Meta has not said. */
  pricing: Generated<string | null>
  /** The import that added it. Null: it was sent or received here. */
  import_id: Generated<string | null>
}

interface ReactionTable {
  message_id: string
  org_id: string
  by: string
  emoji: string
  at: string
}

interface PendingEffectTable {
  seq: Generated<number>
  org_id: string
  wamid: string
  effect: string
  received_at: string
}

/** A scheduled message. Deleted when it is sent or cancelled. */
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
  /** 0/1: deleted when the customer writes first. */
  ends_on_reply: number
  /** Why it could not be sent when it was due. Null: it waits. */
  held_code: string | null
  created_at: string
}

/** The promised first response to a waiting customer. No row: the customer waits for none. */
export interface AnswerDueTable {
  conversation_id: string
  org_id: string
  /** The segment of the conversation whose first response is due. */
  segment_id: string
  /** The customer began to wait at this time, ISO 8601 UTC. */
  since: string
  due_at: string
  /** People were warned at this time that it is nearly due. Null: not yet. */
  warned_at: string | null
}

/** A snooze that waits or has ended. It counts while `conversation.archived` is 2. */
export interface SnoozeTable {
  conversation_id: string
  org_id: string
  /** ISO 8601 UTC */
  until: string
  /** 0/1: it waits for an answer of the customer. */
  if_no_answer: number
  /** A person's or key's id. */
  by_id: string
  by_name: string
  created_at: string
  /** The conversation came back at this time because it was due. Null: it is snoozed, or the customer wrote first. */
  ended_at: string | null
}

/** Contacts that meet conditions, under a name. */
interface AudienceSegmentTable {
  id: string
  org_id: string
  label: string
  /** JSON */
  filter: string
  created_at: string
}

interface InboxTables {
  answer_due: AnswerDueTable
  audience_segment: AudienceSegmentTable
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
  snooze: SnoozeTable
  pending_effect: PendingEffectTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends InboxTables {}
}
