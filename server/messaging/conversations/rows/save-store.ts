import { sql } from 'kysely'
import { belongsTo, bulkWrite, wholeNumber } from '#server/platform/db/bulk.ts'
import type { ListRow } from './list-row-store.ts'

/** Inserts or overwrites conversations. The caller has read them in this transaction. */
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
          waiting_since: row.waiting_since,
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
          waiting_since: eb.ref('excluded.waiting_since'),
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

interface OfOneNumber {
  readonly orgId: string
  readonly connectionId: string
  readonly kind: ListRow['kind']
  readonly control: string
  readonly lastActivityAt: string
  readonly createdAt: string
}

/** Inserts conversations without messages on one number. They differ only in contact and archive. */
export const insertUnbegun = bulkWrite<Pick<ListRow, 'id' | 'contact_id' | 'archived'>, OfOneNumber, never>(
  (_db, rows, { orgId, connectionId, kind, control, lastActivityAt, createdAt }) => {
    const values = sql.join(rows.map(row => sql`(${row.id}, ${row.contact_id}, ${wholeNumber(row.archived)})`))
    return sql<never>`insert into conversation
        (id, org_id, contact_id, connection_id, kind, control, archived, last_activity_at, created_at)
      select v.column1, alike.org_id, v.column2, alike.connection_id, alike.kind, alike.control, v.column3, alike.active_at, alike.created_at
      from (select ${orgId} as org_id, ${connectionId} as connection_id, ${kind} as kind, ${control} as control,
        ${lastActivityAt} as active_at, ${createdAt} as created_at) as alike cross join (values ${values}) as v`
  },
)

/** Updates only the last message, so that no other index changes. */
export const saveLastMessages = bulkWrite<ListRow, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(
    rows.map(
      row => sql`(${row.id}, ${wholeNumber(row.last_message_seq as number)}, ${row.last_message_at},
    ${row.last_message_text}, ${row.last_message_type}, ${row.last_message_direction}, ${row.last_message_status})`,
    ),
  )
  return sql<never>`update conversation set last_message_seq = v.column2, last_message_at = v.column3,
    last_message_text = v.column4, last_message_type = v.column5, last_message_direction = v.column6,
    last_message_status = v.column7
    from (values ${values}) as v where conversation.id = v.column1 and ${belongsTo('conversation.org_id', orgId)}`
}, 'update')
