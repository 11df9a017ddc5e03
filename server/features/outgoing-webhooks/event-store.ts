import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** What programs are told, as stored. */
export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly line: string | null
  /** The webhooks that get it. */
  readonly webhooks: readonly string[]
}

interface EventRow extends Omit<StoredEvent, 'webhooks'> {
  readonly webhooks: string
}

const insert = bulkWrite<EventRow, { orgId: string; at: string }, never>(
  (db, rows, { orgId, at }) =>
    db.insertInto('webhook_event').values(rows.map(row => ({ ...pick(row), org_id: orgId, created_at: at }))) as never,
)
const pick = ({ id, type, body, line, webhooks }: EventRow) => ({ id, type, body, line, webhooks })

export async function insertEvents(
  db: OrgDb,
  orgId: string,
  events: readonly StoredEvent[],
  at: string,
): Promise<void> {
  const rows = events.map(event => ({ ...event, webhooks: JSON.stringify(event.webhooks) }))
  await insert(db, rows, { orgId, at })
}

const byId = lookupQuery<{ orgId: string }, EventRow>((db, ids, { orgId }) =>
  db
    .selectFrom('webhook_event')
    .select(['id', 'type', 'body', 'line', 'webhooks'])
    .where('id', 'in', ids)
    .where(belongsTo('webhook_event.org_id', orgId)),
)

/** Those that exist, in the order of `ids`. */
export async function findEvents(db: Db, orgId: string, ids: readonly string[]): Promise<StoredEvent[]> {
  const found = new Map((await byId(db, ids, { orgId })).map(row => [row.id, row]))
  return ids.flatMap(id => {
    const row = found.get(id)
    return row ? [{ ...row, webhooks: JSON.parse(row.webhooks) as string[] }] : []
  })
}

/** Deletes up to `limit` old ones. Returns how many. */
export async function deleteOldEvents(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('webhook_event')
    .where('id', 'in', db.selectFrom('webhook_event').select('id').where('created_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
