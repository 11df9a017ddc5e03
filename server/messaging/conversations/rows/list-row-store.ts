import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { ConversationTable } from '#server/messaging/table.ts'
import { belongsTo, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { MessageContent } from '#server/whatsapp/webhooks/inbound.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import { byLabel } from '#shared/tags/api.ts'

/** A conversation with what the list shows of its contact. */
export interface ListRow extends Omit<Selectable<ConversationTable>, 'outside_unread'> {
  name: string | null
  profile_name: string | null
  username: string | null
  wa_id: string | null
  bsuid: string | null
  /** Why the last message failed. Null: it did not. */
  last_message_error: string | null
  /** The last message's notice from WhatsApp, as JSON. */
  last_message_notice: string | null
  /** An `OptOut` as JSON. */
  opt_out: string | null
  is_group: number
  /** Null: not blocked. */
  blocked_at: string | null
  assignee_name: string | null
  team_name: string | null
  /** Our number, if the organization has several. */
  own_phone: string | null
  /** The promised first response is due at this time. Null: the customer waits for none. */
  answer_due_at: string | null
  /** The snooze ends or ended at this time. Null: there is none. */
  snooze_until: string | null
  snooze_if_no_answer: number | null
  snooze_by_id: string | null
  snooze_by_name: string | null
  snooze_at: string | null
  /** The conversation came back at this time because the snooze was due. */
  snooze_ended_at: string | null
}

/**
 * `last_activity_at` of a conversation with nothing but bulk sends. It is in no list until another message follows, and
 * last in searches.
 */
export const neverActive = '1970-01-01T00:00:00.000Z'

const shownColumns = [
  'conversation.id',
  'conversation.contact_id',
  'conversation.connection_id',
  'conversation.control',
  'conversation.assignee_id',
  'conversation.team_id',
  'conversation.archived',
  'conversation.unread',
  'conversation.window_closes_at',
  'conversation.free_until',
  'conversation.last_activity_at',
  'conversation.waiting_since',
  'conversation.last_message_at',
  'conversation.last_message_text',
  'conversation.last_message_type',
  'conversation.last_message_direction',
  'conversation.last_message_status',
  'contact.name',
  'contact.profile_name',
  'contact.username',
  'contact.wa_id',
  'contact.bsuid',
  'contact.opt_out',
  'contact.is_group',
  'user.name as assignee_name',
  'team.name as team_name',
  'wa_connection.shown_phone as own_phone',
  'snooze.until as snooze_until',
  'snooze.if_no_answer as snooze_if_no_answer',
  'snooze.by_id as snooze_by_id',
  'snooze.by_name as snooze_by_name',
  'snooze.created_at as snooze_at',
  'snooze.ended_at as snooze_ended_at',
] as const

const otherColumns = [
  'conversation.org_id',
  'conversation.kind',
  'conversation.last_message_seq',
  'conversation.last_inbound_wamid',
  'conversation.last_human_event_at',
  'conversation.control_before_archive',
  'conversation.created_at',
  'contact.blocked_at',
] as const

/** Why a contact gets no marketing; null: they did not opt out. */
export const optOutOf = ({ opt_out: stored }: Pick<ListRow, 'opt_out'>): OptOut | null =>
  stored === null ? null : (JSON.parse(stored) as OptOut)

/** WhatsApp's notice, if it is the last message. */
export const noticeOf = ({
  last_message_notice: stored,
}: Pick<ListRow, 'last_message_notice'>): MessageContent['news'] =>
  stored === null ? undefined : (JSON.parse(stored) as MessageContent).news

/** The columns that the list shows. */
export type ShownRow = Omit<
  ListRow,
  | 'org_id'
  | 'kind'
  | 'last_message_seq'
  | 'last_inbound_wamid'
  | 'last_human_event_at'
  | 'control_before_archive'
  | 'created_at'
  | 'blocked_at'
>

/** Conversations with contact and assignee. Every list starts from this query. */
export const selectShown = (db: Db) =>
  db
    .selectFrom('conversation')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .leftJoin('user', 'user.id', 'conversation.assignee_id')
    .leftJoin('team', 'team.id', 'conversation.team_id')
    .leftJoin('wa_connection', 'wa_connection.id', 'conversation.connection_id')
    .leftJoin('snooze', 'snooze.conversation_id', 'conversation.id')
    .select(shownColumns)
    .select([
      sql<string | null>`case when conversation.last_message_status = 'failed'
        then (select error_code from message where message.seq = conversation.last_message_seq) end`.as(
        'last_message_error',
      ),
      sql<string | null>`case when conversation.last_message_type = 'system'
        then (select content from message where message.seq = conversation.last_message_seq) end`.as(
        'last_message_notice',
      ),
      sql<string | null>`(select due_at from answer_due where answer_due.conversation_id = conversation.id)`.as(
        'answer_due_at',
      ),
    ])

/** More than the conversations a contact can have: one for each of our numbers. */
export const maxOfContact = 100

/** Whole rows, to change and save. */
export const selectRows = (db: Db) => selectShown(db).select(otherColumns)

/** Rows by contact or id, in no order. */
export const findRows = {
  byContact: lookupQuery<{ orgId: string }, ListRow>((db, ids, { orgId }) =>
    selectRows(db).where(belongsTo('conversation.org_id', orgId)).where('conversation.contact_id', 'in', ids),
  ),
  byId: lookupQuery<{ orgId: string }, ListRow>((db, ids, { orgId }) =>
    selectRows(db).where(belongsTo('conversation.org_id', orgId)).where('conversation.id', 'in', ids),
  ),
}

export interface TagRow {
  contact_id: string
  id: string
  label: string
  hue: number
}

const findTags = lookupQuery<{ orgId: string }, TagRow>((db, contactIds, { orgId }) =>
  db
    .selectFrom('contact_tag')
    .innerJoin('tag', 'tag.id', 'contact_tag.tag_id')
    .select(['contact_tag.contact_id', 'tag.id', 'tag.label', 'tag.hue'])
    .where('contact_tag.contact_id', 'in', contactIds)
    .where(belongsTo('contact_tag.org_id', orgId)),
)

/** Contacts may have many tags, so one turn of the event loop reads those of at most this many contacts. */
const contactsAtOnce = 200

/** Tags by contact, sorted by label. */
export async function readTagsOfContacts(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, TagRow[]>> {
  const rows: TagRow[] = []
  for (let from = 0; from < contactIds.length; from += contactsAtOnce) {
    if (contactIds.length > contactsAtOnce) await nextTurn()
    rows.push(...(await findTags(db, contactIds.slice(from, from + contactsAtOnce), { orgId })))
  }
  const byContact = new Map<string, TagRow[]>()
  if (!rows.length) return byContact
  for (const row of rows) {
    const tags = byContact.get(row.contact_id)
    if (tags) tags.push(row)
    else byContact.set(row.contact_id, [row])
  }
  for (const tags of byContact.values()) tags.sort(byLabel)
  return byContact
}
