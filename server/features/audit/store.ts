import type { Db } from '#server/platform/db/database.ts'
import type { Change } from './changes.ts'
import type { AuditEntryTable, SiteAuditEntryTable } from './table.ts'

interface StoredActor {
  readonly kind: 'person' | 'key'
  readonly id: string
  readonly name: string
  /** The site administrator who acted as this person. Absent: nobody did. */
  readonly impersonatedBy?: string
}

type Read<Row> = Omit<Row, 'actor' | 'changes'> & { readonly actor: StoredActor; readonly changes: readonly Change[] }
export type StoredEntry = Read<AuditEntryTable>
export type StoredSiteEntry = Read<SiteAuditEntryTable>

export const readEntry = <Row extends { actor: string; changes: string | null }>(row: Row): Read<Row> => ({
  ...row,
  actor: JSON.parse(row.actor) as StoredActor,
  changes: row.changes === null ? [] : (JSON.parse(row.changes) as Change[]),
})

export async function insertEntry(db: Db, orgId: string, entry: Omit<AuditEntryTable, 'org_id'>): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values({ org_id: orgId, ...entry })
    .execute()
}

/** Marks a begun entry as done. */
export async function finishEntry(
  db: Db,
  orgId: string,
  id: string,
  known: Pick<AuditEntryTable, 'subject' | 'changes'>,
): Promise<void> {
  await db
    .updateTable('audit_entry')
    .set({ ...known, is_done: 1 })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('is_done', '=', 0)
    .execute()
}

/** Deletes a begun entry, because the change was refused. */
export async function deleteBegunEntry(db: Db, orgId: string, id: string): Promise<void> {
  await db.deleteFrom('audit_entry').where('org_id', '=', orgId).where('id', '=', id).where('is_done', '=', 0).execute()
}

export interface EntryFilter {
  readonly person?: string
  readonly kind?: string
  readonly from?: string
  readonly to?: string
  readonly before?: string
  /** Unfinished entries after this time are left out, because they may still end. */
  readonly mayEndFrom?: string
}

/** Newest first. Ids sort by time. */
export async function listEntries(db: Db, orgId: string, filter: EntryFilter, limit: number): Promise<StoredEntry[]> {
  let query = db.selectFrom('audit_entry').selectAll().where('org_id', '=', orgId)
  if (filter.person !== undefined) query = query.where('actor_id', '=', filter.person)
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind)
  if (filter.from !== undefined) query = query.where('at', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('at', '<', filter.to)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  const { mayEndFrom } = filter
  if (mayEndFrom !== undefined) query = query.where(eb => eb.or([eb('is_done', '=', 1), eb('at', '<', mayEndFrom)]))
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(readEntry)
}

/** Deletes up to `limit` entries from before `at`. Returns how many. */
export async function deleteEntriesBefore(db: Db, at: string, limit: number): Promise<number> {
  const old = db.selectFrom('audit_entry').select('id').where('at', '<', at).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('audit_entry').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
