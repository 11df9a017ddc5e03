import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { archiveStates } from '#server/messaging/archive-states.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

/** The position of a row in an order: `key`, then the `id` of the contact or, by activity, of the conversation. */
export interface SortPlace {
  readonly key: string
  readonly id: string
}
export interface SortedRow extends SortPlace {
  readonly contactId: string
}

/** The next `size` rows after one. `ids`: only of these contacts. */
interface Window {
  readonly after: SortPlace | undefined
  readonly ids: readonly string[] | undefined
  readonly size: number
}

/** The beginning of the folded name; written as in the index `contact_name`. */
const nameKey = sql<string>`substr(contact.search, 1, 40)`

/** Contacts by name, without the scope of a viewer. */
export function selectByName(db: Db, orgId: string, { after, ids, size }: Window) {
  let query = db
    .selectFrom('contact')
    .select(['contact.id', 'contact.id as contactId'])
    .select(nameKey.as('key'))
    .where('contact.org_id', '=', orgId)
  // SQLite does not look up an expression within a row value.
  if (after !== undefined)
    query = query
      .where(nameKey, '>=', after.key)
      .where(sql<boolean>`(${nameKey}, contact.id) > (${after.key}, ${after.id})`)
  if (ids !== undefined) query = query.where('contact.id', 'in', ids)
  return query.orderBy(nameKey).orderBy('contact.id').limit(size)
}

/** Conversations by activity, latest first, without the scope of a viewer. Open, snoozed and archived ones are merged. */
export function selectByActivity(db: Db, orgId: string, { after, ids, size }: Window) {
  const inState = (state: number) => {
    let query = db
      .selectFrom('conversation')
      .select(['id', 'contact_id as contactId', 'last_activity_at as key'])
      .where('org_id', '=', orgId)
      .where('kind', '=', listedKind(orgId))
      .where('archived', '=', state)
    if (after !== undefined) query = query.where(sql<boolean>`(last_activity_at, id) < (${after.key}, ${after.id})`)
    if (ids !== undefined) query = query.where('contact_id', 'in', ids)
    const part = query.orderBy('last_activity_at', 'desc').orderBy('id', 'desc').limit(size)
    return db.selectFrom(part.as('part')).selectAll()
  }
  return db
    .selectFrom(
      inState(archiveStates.open)
        .unionAll(inState(archiveStates.snoozed))
        .unionAll(inState(archiveStates.archived))
        .as('merged'),
    )
    .selectAll()
    .orderBy('key', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
}

/** The id of each contact's latest conversation that the viewer sees. */
export async function listLatestIds(
  db: Db,
  { orgId, scope }: Viewer,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!contactIds.length) return new Map()
  const rows = await db
    .selectFrom('conversation')
    .select(['conversation.id', 'conversation.contact_id'])
    .where('conversation.contact_id', 'in', contactIds)
    .where(belongsTo('conversation.org_id', orgId))
    .where('conversation.kind', '=', listedKind(orgId))
    .where(seen(scope))
    .orderBy('conversation.last_activity_at')
    .orderBy('conversation.id')
    .execute()
  return new Map(rows.map(row => [row.contact_id, row.id]))
}
