import { customerWindowMs } from '#shared/limits.ts'
import { bulkWrite } from '../../bulk.ts'
import type { ListRow } from './list-row.ts'
import type { OwnNumber } from './number-store.ts'

/** How much of a message the list keeps. */
const previewChars = 280

export const previewOf = (text: string): string =>
  text.length > previewChars
    ? `${text
        .slice(0, previewChars - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
    : text

/** Inserts conversations or overwrites their own columns; the caller has read them in this transaction. */
export const saveConversations = bulkWrite<ListRow, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .insertInto('conversation')
      .values(
        rows.map(row => ({
          id: row.id,
          org_id: orgId,
          contact_id: row.contact_id,
          connection_id: row.connection_id,
          kind: row.kind,
          control: row.control,
          assignee_id: row.assignee_id,
          team_id: row.team_id,
          archived: row.archived,
          unread: row.unread,
          window_closes_at: row.window_closes_at,
          last_activity_at: row.last_activity_at,
          last_message_seq: row.last_message_seq,
          last_message_at: row.last_message_at,
          last_message_text: row.last_message_text,
          last_message_type: row.last_message_type,
          last_message_direction: row.last_message_direction,
          last_message_status: row.last_message_status,
          last_inbound_wamid: row.last_inbound_wamid,
          last_human_event_at: row.last_human_event_at,
          created_at: row.created_at,
        })),
      )
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet(eb => ({
          control: eb.ref('excluded.control'),
          archived: eb.ref('excluded.archived'),
          unread: eb.ref('excluded.unread'),
          window_closes_at: eb.ref('excluded.window_closes_at'),
          last_activity_at: eb.ref('excluded.last_activity_at'),
          last_message_seq: eb.ref('excluded.last_message_seq'),
          last_message_at: eb.ref('excluded.last_message_at'),
          last_message_text: eb.ref('excluded.last_message_text'),
          last_message_type: eb.ref('excluded.last_message_type'),
          last_message_direction: eb.ref('excluded.last_message_direction'),
          last_message_status: eb.ref('excluded.last_message_status'),
          last_inbound_wamid: eb.ref('excluded.last_inbound_wamid'),
          last_human_event_at: eb.ref('excluded.last_human_event_at'),
        })),
      ) as never,
)

/** The row of a conversation that has not begun. */
export const newConversation = (facts: {
  id: string
  orgId: string
  at: string
  number: Pick<OwnNumber, 'id' | 'kind' | 'shownPhone'>
  contact: {
    id: string
    name: string | null
    profileName: string | null
    username: string | null
    waId: string | null
    bsuid: string | null
  }
}): ListRow => ({
  id: facts.id,
  org_id: facts.orgId,
  contact_id: facts.contact.id,
  connection_id: facts.number.id,
  kind: facts.number.kind,
  control: 'none',
  assignee_id: null,
  team_id: null,
  archived: 0,
  unread: 0,
  window_closes_at: null,
  last_activity_at: facts.at,
  last_message_seq: null,
  last_message_at: null,
  last_message_text: null,
  last_message_type: null,
  last_message_direction: null,
  last_message_status: null,
  last_inbound_wamid: null,
  last_human_event_at: null,
  created_at: facts.at,
  name: facts.contact.name,
  profile_name: facts.contact.profileName,
  username: facts.contact.username,
  wa_id: facts.contact.waId,
  bsuid: facts.contact.bsuid,
  assignee_name: null,
  team_name: null,
  own_phone: facts.number.shownPhone,
})

interface Landed {
  seq: number
  at: string
  text: string
  type: string
  direction: string
  status: string
}

/** Makes this the last message unless a later one is; order is time, then arrival. */
export const landMessage = (row: ListRow, message: Landed): void => {
  // Before its first message a row has only the time of a notice.
  if (row.last_message_seq === null || message.at > row.last_activity_at) row.last_activity_at = message.at
  const last = row.last_message_at
  if (last !== null && (message.at < last || (message.at === last && message.seq < (row.last_message_seq ?? 0)))) return
  row.last_message_seq = message.seq
  row.last_message_at = message.at
  row.last_message_text = previewOf(message.text)
  row.last_message_type = message.type
  row.last_message_direction = message.direction
  row.last_message_status = message.status
}

/** The 24 hours begin again with each word of the customer; they never shrink. `wamid`: what a read receipt names. */
export const openWindow = (row: ListRow, at: string, wamid?: string): void => {
  const closesAt = new Date(Date.parse(at) + customerWindowMs).toISOString()
  if (row.window_closes_at !== null && closesAt < row.window_closes_at) return
  row.window_closes_at = closesAt
  if (wamid !== undefined) row.last_inbound_wamid = wamid
}
