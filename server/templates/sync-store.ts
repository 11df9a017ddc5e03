import type { Db } from '../db.ts'

export interface StoredSync {
  readonly wabaId: string
  readonly dueAt: string
  readonly syncedAt: string | null
  /** Code of what went wrong last; null: it went well. */
  readonly failure: string | null
}

export async function findSync(db: Db, orgId: string): Promise<StoredSync | undefined> {
  const row = await db.selectFrom('template_sync').selectAll().where('org_id', '=', orgId).executeTakeFirst()
  return row && { wabaId: row.waba_id, dueAt: row.due_at, syncedAt: row.synced_at, failure: row.failure }
}

export async function saveSync(db: Db, orgId: string, sync: StoredSync): Promise<void> {
  const values = { waba_id: sync.wabaId, due_at: sync.dueAt, synced_at: sync.syncedAt, failure: sync.failure }
  await db
    .insertInto('template_sync')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

/** The WhatsApp account behind the organization's first number; undefined: none is connected. */
export async function findWabaId(db: Db, orgId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('wa_connection')
    .select('waba_id')
    .where('org_id', '=', orgId)
    .where('disconnected_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.waba_id
}

/**
 * Organizations whose templates should be read: connected for a moment and never asked, connected to another account
 * since, or due.
 */
export async function listDueSyncs(
  db: Db,
  times: { now: string; connectedBefore: string },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('wa_connection as c')
    .leftJoin('template_sync as s', 's.org_id', 'c.org_id')
    .select('c.org_id')
    .where('c.status', '=', 'connected')
    .where('c.disconnected_at', 'is', null)
    // Templates are those of the organization's first number.
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('wa_connection as first')
            .select('first.id')
            .whereRef('first.org_id', '=', 'c.org_id')
            .where('first.disconnected_at', 'is', null)
            .where(one =>
              one.or([
                one('first.created_at', '<', one.ref('c.created_at')),
                one.and([one('first.created_at', '=', one.ref('c.created_at')), one('first.id', '<', one.ref('c.id'))]),
              ]),
            ),
        ),
      ),
    )
    .where('c.updated_at', '<=', times.connectedBefore)
    .where(eb =>
      eb.or([eb('s.org_id', 'is', null), eb('s.waba_id', '!=', eb.ref('c.waba_id')), eb('s.due_at', '<=', times.now)]),
    )
    .orderBy('c.org_id')
    .limit(limit)
    .execute()
  return rows.map(row => row.org_id)
}
