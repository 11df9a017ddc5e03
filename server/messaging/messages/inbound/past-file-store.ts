import { sql } from 'kysely'
import { belongsTo, bulkWrite, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'

interface Placeholder {
  readonly seq: number
  readonly id: string
  readonly conversation_id: string
  readonly wamid: string
}

/** Placeholders in the imported history whose files have not arrived. */
export const findPlaceholders = lookupQuery<{ orgId: string }, Placeholder>((db, wamids, { orgId }) =>
  db
    .selectFrom('message')
    .select(['message.seq', 'message.id', 'message.conversation_id', 'message.wamid'])
    .where(belongsTo('message.org_id', orgId))
    .where('message.wamid', 'in', wamids)
    .where('message.type', '=', 'unsupported')
    .where('message.content', 'like', '%"withheld":"pastFile"%')
    .where('message.revoked_at', 'is', null)
    .$narrowType<{ wamid: string }>(),
)

/** Turns placeholders into the files' messages. Their time and direction do not change. */
export const fillPlaceholders = bulkWrite<
  { seq: number; type: string; text: string; content: string | null },
  { orgId: string },
  never
>((_db, rows, { orgId }) => {
  const values = sql.join(rows.map(row => sql`(${wholeNumber(row.seq)}, ${row.type}, ${row.text}, ${row.content})`))
  return sql<never>`update message set type = v.column2, text = v.column3, content = v.column4
    from (values ${values}) as v where message.seq = v.column1 and ${belongsTo('message.org_id', orgId)}`
}, 'update')
