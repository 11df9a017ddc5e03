import { sql } from 'kysely'
import { belongsTo, bulkWrite } from '#server/platform/db/bulk.ts'

export interface Free {
  readonly conversationId: string
  /** ISO 8601 in UTC. */
  readonly freeUntil: string
}

/** Stores until when conversations are free, unless a later end is stored. Returns the conversations that changed. */
export const saveFree = bulkWrite<Free, { orgId: string }, { id: string }>((_db, rows, { orgId }) => {
  const values = sql.join(rows.map(row => sql`(${row.conversationId}, ${row.freeUntil})`))
  return sql<{ id: string }>`update conversation set free_until = v.column2 from (values ${values}) as v
    where conversation.id = v.column1 and (conversation.free_until is null or conversation.free_until < v.column2)
    and ${belongsTo('conversation.org_id', orgId)} returning conversation.id as id`
}, 'update')
