import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export interface StoredStanding {
  readonly readAt: string
  /** JSON. */
  readonly facts: string
  readonly picture: string | null
}

export async function findStanding(db: Db, orgId: string, connectionId: string): Promise<StoredStanding | undefined> {
  const row = await db
    .selectFrom('number_standing')
    .select(['read_at', 'facts', 'picture'])
    .where('connection_id', '=', connectionId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row && { readAt: row.read_at, facts: row.facts, picture: row.picture }
}

export async function saveStanding(
  db: OrgDb,
  orgId: string,
  connectionId: string,
  { readAt, facts, picture }: StoredStanding,
): Promise<void> {
  const values = { read_at: readAt, facts, picture }
  await db
    .insertInto('number_standing')
    .values({ connection_id: connectionId, org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('connection_id').doUpdateSet(values))
    .execute()
}

/** People whom the number may write to first within a day; -1: no limit, null: Meta has not said. */
export async function findMessagingLimit(db: Db, orgId: string, connectionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('wa_connection')
    .select('messaging_limit')
    .where('org_id', '=', orgId)
    .where('id', '=', connectionId)
    .executeTakeFirst()
  return row?.messaging_limit ?? null
}
