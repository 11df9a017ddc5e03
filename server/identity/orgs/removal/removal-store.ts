import { sql } from 'kysely'
import type { Database, Db } from '#server/platform/db/database.ts'
import { rowAddress } from '#server/platform/db/row-address.ts'

/** Rows deleted in one transaction: about ten milliseconds of the single writer. */
const rowsPerBatch = 300
/** Fewer, because each row has index entries in several tables. */
const threadsPerBatch = 50

/**
 * Tables with many rows, children before parents, so that no delete cascades to thousands. Files, reactions, attempts
 * and queued sends cascade from their message; tables with few rows from the organization.
 */
export const batches = [
  { table: 'job', rows: rowsPerBatch },
  { table: 'job_pace', rows: rowsPerBatch },
  { table: 'event', rows: rowsPerBatch },
  { table: 'untaken_item', rows: rowsPerBatch },
  { table: 'notification', rows: rowsPerBatch },
  { table: 'pending_effect', rows: rowsPerBatch },
  { table: 'idempotency', rows: rowsPerBatch },
  { table: 'bulk_recipient', rows: rowsPerBatch },
  { table: 'contact_merge_message', rows: rowsPerBatch },
  { table: 'stats_export_part', rows: threadsPerBatch },
  { table: 'conversation_segment', rows: rowsPerBatch },
  { table: 'conversation_segment_pack', rows: threadsPerBatch },
  { table: 'conversation_segment_place', rows: rowsPerBatch },
  { table: 'message', rows: rowsPerBatch },
  { table: 'conversation_segment_due', rows: rowsPerBatch },
  { table: 'answer_due', rows: rowsPerBatch },
  { table: 'conversation', rows: threadsPerBatch },
  { table: 'contact', rows: threadsPerBatch },
  { table: 'sandbox_message', rows: rowsPerBatch },
  { table: 'sandbox_media', rows: threadsPerBatch },
  { table: 'sandbox_customer', rows: rowsPerBatch },
] as const satisfies readonly { table: keyof Database; rows: number }[]

type Batch = (typeof batches)[number]

/** Returns how many rows were deleted. */
export async function deleteBatch(trx: Db, orgId: string, { table, rows }: Batch): Promise<number> {
  const address = rowAddress(trx)
  const result = await sql`delete from ${sql.table(table)} where ${address} in
    (select ${address} from ${sql.table(table)} where org_id = ${orgId} limit ${rows})`.execute(trx)
  return Number(result.numAffectedRows ?? 0)
}

/**
 * Hides an organization: ends members, invitations and teams, frees its slug, disconnects its number and stops sends.
 * False: not there, or already hidden.
 */
export async function hideOrganization(trx: Db, orgId: string, now: string): Promise<boolean> {
  const result = await trx
    .updateTable('organization')
    // No real slug contains a space.
    .set({ deleted_at: now, slug: `deleted ${orgId}`, logo: null })
    .where('id', '=', orgId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!result.numUpdatedRows) return false
  await trx.deleteFrom('former_slug').where('org_id', '=', orgId).execute()
  for (const table of ['member', 'invitation', 'team'] as const)
    await trx.deleteFrom(table).where('organizationId', '=', orgId).execute()
  await trx
    .updateTable('session')
    .set({ activeOrganizationId: null, activeTeamId: null })
    .where('activeOrganizationId', '=', orgId)
    .execute()
  await trx.deleteFrom('wa_connection').where('org_id', '=', orgId).execute()
  return true
}

/** Deletes the organization's row; remaining rows cascade. */
export async function deleteOrganization(trx: Db, orgId: string): Promise<void> {
  await trx.deleteFrom('organization').where('id', '=', orgId).where('deleted_at', 'is not', null).execute()
}

/** Organizations older than `before` without a member: the process died between inserting the two. */
export const listInterruptedCreations = (db: Db, before: string): Promise<{ id: string }[]> =>
  db
    .selectFrom('organization')
    .select('id')
    .where('createdAt', '<', before)
    .where('deleted_at', 'is', null)
    .where(eb =>
      eb.not(eb.exists(eb.selectFrom('member').select('id').whereRef('organizationId', '=', 'organization.id'))),
    )
    .where(eb =>
      eb.not(eb.exists(eb.selectFrom('wa_connection').select('id').whereRef('org_id', '=', 'organization.id'))),
    )
    .where(eb => eb.not(eb.exists(eb.selectFrom('contact').select('id').whereRef('org_id', '=', 'organization.id'))))
    .limit(100)
    .execute()
