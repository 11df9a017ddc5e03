import type { Db } from '#server/platform/db/database.ts'
import type { Fault } from './faults.ts'

export async function insertFault(db: Db, orgId: string, fault: Fault, count: number): Promise<void> {
  await db
    .insertInto('sandbox_fault')
    .values({ org_id: orgId, code: fault.code, mode: fault.mode, remaining: count })
    .execute()
}

export async function listFaults(db: Db, orgId: string, limit: number): Promise<(Fault & { remaining: number })[]> {
  return db
    .selectFrom('sandbox_fault')
    .select(['code', 'mode', 'remaining'])
    .where('org_id', '=', orgId)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Deletes and returns the fault that was armed first; undefined: none is armed. */
export async function takeFault(db: Db, orgId: string): Promise<Fault | undefined> {
  const fault = await db
    .selectFrom('sandbox_fault')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (!fault) return undefined
  if (fault.remaining > 1)
    await db
      .updateTable('sandbox_fault')
      .set({ remaining: fault.remaining - 1 })
      .where('seq', '=', fault.seq)
      .execute()
  else await db.deleteFrom('sandbox_fault').where('seq', '=', fault.seq).execute()
  return { code: fault.code, mode: fault.mode }
}
