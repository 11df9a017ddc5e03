import { sql } from 'kysely'
import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'

/** The last known names of contacts in the phone's address book. */
export const findOutsideNames = lookupQuery<
  { orgId: string },
  { id: string; outside_name: string | null; outside_name_at: string | null }
>((db, ids, { orgId }) =>
  db
    .selectFrom('contact')
    .select(['id', 'outside_name', 'outside_name_at'])
    .where('id', 'in', ids)
    .where(belongsTo('contact.org_id', orgId)),
)

/** The contacts must exist, and each may occur once. */
export const saveOutsideNames = bulkWrite<
  { contactId: string; name: string | null; at: string },
  { orgId: string },
  never
>((_db, rows, { orgId }) => {
  const values = sql.join(rows.map(row => sql`(${row.contactId}, ${row.name}, ${row.at})`))
  return sql<never>`update contact set outside_name = v.column2, outside_name_at = v.column3
    from (values ${values}) as v where contact.id = v.column1 and ${belongsTo('contact.org_id', orgId)}`
}, 'update')
