import type { Db } from '#server/platform/db/database.ts'

interface StoredSync {
  readonly wabaId: string
  readonly syncedAt: string | null
  /** Code of the last failure. Null: it succeeded. */
  readonly failure: string | null
}

export async function findSync(db: Db, orgId: string): Promise<StoredSync | undefined> {
  const row = await db.selectFrom('template_sync').selectAll().where('org_id', '=', orgId).executeTakeFirst()
  return row && { wabaId: row.waba_id, syncedAt: row.synced_at, failure: row.failure }
}

export async function saveSync(db: Db, orgId: string, sync: StoredSync): Promise<void> {
  const values = { waba_id: sync.wabaId, synced_at: sync.syncedAt, failure: sync.failure }
  await db
    .insertInto('template_sync')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

const findFirstConnection = (db: Db, orgId: string) =>
  db
    .selectFrom('wa_connection')
    .select(['waba_id', 'status'])
    .where('org_id', '=', orgId)
    .where('disconnected_at', 'is', null)
    .orderBy('place')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The WhatsApp account of the organization's first number. Undefined: none is connected. */
export const findWabaId = async (db: Db, orgId: string): Promise<string | undefined> =>
  (await findFirstConnection(db, orgId))?.waba_id

/** Templates are read with the organization's first number. */
export const isReadable = async (db: Db, orgId: string): Promise<boolean> =>
  (await findFirstConnection(db, orgId))?.status === 'connected'
