import { sql } from 'kysely'
import { outsideId } from '#server/identity/numbers/outside-number.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { type ListRow, selectRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { belongsTo, bulkWrite, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A page of a list at a time. */
const maxKeys = 500

/** `outside_unread`: what the other system counted as unread when it was last asked; null if it never was. */
type MirroredRow = ListRow & { match_key: string; outside_unread: number | null }

const selectMirrored = (db: Db, orgId: string, keys: readonly string[]) =>
  selectRows(db)
    .innerJoin('contact_identity', 'contact_identity.contact_id', 'conversation.contact_id')
    .select(['contact_identity.match_key', 'conversation.outside_unread'])
    .where('contact_identity.org_id', '=', orgId)
    .where('contact_identity.kind', '=', 'phone')
    .where('contact_identity.match_key', 'in', keys)
    .where(belongsTo('conversation.org_id', orgId))
    .where('wa_connection.phone_number_id', '=', outsideId)

/** Compiled once: each event of an upstream asks it. */
const findAll = lookupQuery<{ orgId: string }, MirroredRow>((db, keys, { orgId }) => selectMirrored(db, orgId, keys))

/** Conversations of the number that another system operates, by keys of phone numbers; those that the viewer sees. */
export async function findMirrored(db: Db, { orgId, scope }: Viewer, keys: readonly string[]): Promise<MirroredRow[]> {
  if (scope.kind === 'all') return findAll(db, keys, { orgId })
  const rows: MirroredRow[] = []
  for (let from = 0; from < keys.length; from += maxKeys) {
    const some = selectMirrored(db, orgId, keys.slice(from, from + maxKeys))
    rows.push(...(await some.where(seen(scope)).execute()))
  }
  return rows
}

/** Stores what the other system counts as unread, by conversation. */
export const saveOutsideUnread = bulkWrite<{ id: string; unread: number }, { orgId: string }, never>(
  (_db, rows, { orgId }) => {
    const values = sql.join(rows.map(({ id, unread }) => sql`(${id}, ${wholeNumber(unread)})`))
    return sql<never>`update conversation set outside_unread = given.column2 from (values ${values}) as given
      where conversation.id = given.column1 and ${belongsTo('conversation.org_id', orgId)}`
  },
)
