import { lookupQuery } from '../bulk.ts'
import type { OrgDb } from '../events/writes.ts'
import type { OptOutMarkTable } from './table.ts'

export const findMarks = lookupQuery<{ orgId: string }, Pick<OptOutMarkTable, 'hash' | 'erasure_id' | 'at' | 'source'>>(
  (db, hashes, { orgId }) =>
    db
      .selectFrom('opt_out_mark')
      .select(['hash', 'erasure_id', 'at', 'source'])
      .where('org_id', '=', orgId)
      .where('hash', 'in', hashes),
)

export async function insertMarks(
  db: OrgDb,
  orgId: string,
  { hashes, ...facts }: { hashes: readonly string[] } & Pick<OptOutMarkTable, 'erasure_id' | 'at' | 'source'>,
): Promise<void> {
  if (!hashes.length) return
  await db
    .insertInto('opt_out_mark')
    .values(hashes.map(hash => ({ org_id: orgId, hash, ...facts })))
    .onConflict(conflict => conflict.columns(['org_id', 'hash']).doNothing())
    .execute()
}

/** All there are of these persons. */
export async function deleteMarks(db: OrgDb, orgId: string, erasureIds: readonly string[]): Promise<void> {
  if (!erasureIds.length) return
  await db.deleteFrom('opt_out_mark').where('org_id', '=', orgId).where('erasure_id', 'in', erasureIds).execute()
}
