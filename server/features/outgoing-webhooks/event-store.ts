import { bulkWrite } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** Events for programs, as stored. */
export interface StoredEvent {
  readonly id: string
  readonly type: string
  /** The exact bytes that are sent. */
  readonly body: string
  /** Deliveries of one webhook with the same line are sent in order. Null: in any order. */
  readonly line: string | null
}

const insert = bulkWrite<StoredEvent, { orgId: string; at: string }, never>(
  (db, rows, { orgId, at }) =>
    db
      .insertInto('webhook_event')
      .values(
        rows.map(({ id, type, body, line }) => ({ id, type, body, line, org_id: orgId, created_at: at })),
      ) as never,
)

export async function insertEvents(
  db: OrgDb,
  orgId: string,
  events: readonly StoredEvent[],
  at: string,
): Promise<void> {
  await insert(db, events, { orgId, at })
}

/** Deletes up to `limit` old ones. Returns how many. */
export async function deleteOldEvents(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('webhook_event')
    .where('id', 'in', db.selectFrom('webhook_event').select('id').where('created_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
