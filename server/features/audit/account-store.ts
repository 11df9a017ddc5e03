import type { Db } from '#server/platform/db/database.ts'
import { readEntry, type StoredSiteEntry } from './store.ts'
import type { AuditEntryTable, SiteAuditEntryTable } from './table.ts'

/** Organizations in which a person's access is recorded at most. better-auth does not allow anybody to create more. */
const maxOrgs = 100

export interface Account {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: string | null
}

export const findAccount = (db: Db, by: { id: string } | { email: string }): Promise<Account | undefined> => {
  const query = db.selectFrom('user').select(['id', 'name', 'email', 'role'])
  return ('id' in by ? query.where('id', '=', by.id) : query.where('email', '=', by.email)).executeTakeFirst()
}

/** IP address and browser of a session. */
export const findSessionOrigin = (db: Db, id: string) =>
  db.selectFrom('session').select(['ipAddress', 'userAgent']).where('id', '=', id).executeTakeFirst()

export async function findSessionPerson(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('session').select('userId').where('id', '=', id).executeTakeFirst())?.userId
}

export async function findTeamName(db: Db, orgId: string, teamId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('team')
    .select('name')
    .where('organizationId', '=', orgId)
    .where('id', '=', teamId)
    .executeTakeFirst()
  return row?.name
}

/** The organizations a person is a member of. */
export async function listOrgsOfAccount(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .where('member.userId', '=', userId)
    .where('organization.deleted_at', 'is', null)
    .select('organization.id')
    .orderBy('organization.id')
    .limit(maxOrgs)
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertEntriesOf(db: Db, entries: readonly AuditEntryTable[]): Promise<void> {
  if (entries.length) await db.insertInto('audit_entry').values(entries).execute()
}

export async function insertSiteEntry(db: Db, entry: SiteAuditEntryTable): Promise<void> {
  await db.insertInto('site_audit_entry').values(entry).execute()
}

/** Marks begun entries as done. */
export async function finishEntries(db: Db, ids: readonly string[]): Promise<void> {
  for (const table of ['audit_entry', 'site_audit_entry'] as const)
    await db.updateTable(table).set({ is_done: 1 }).where('id', 'in', ids).where('is_done', '=', 0).execute()
}

/** Deletes begun entries, because the change was refused. */
export async function deleteBegunEntries(db: Db, ids: readonly string[]): Promise<void> {
  for (const table of ['audit_entry', 'site_audit_entry'] as const)
    await db.deleteFrom(table).where('id', 'in', ids).where('is_done', '=', 0).execute()
}

/** Newest first. Ids sort by time. */
export async function listSiteEntries(
  db: Db,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<StoredSiteEntry[]> {
  const query = db.selectFrom('site_audit_entry').selectAll()
  const older = before === undefined ? query : query.where('id', '<', before)
  return (await older.orderBy('id', 'desc').limit(limit).execute()).map(readEntry)
}

/** Deletes up to `limit` entries from before `at`. Returns how many. */
export async function deleteSiteEntriesBefore(db: Db, at: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('site_audit_entry')
    .where('id', 'in', query => query.selectFrom('site_audit_entry').select('id').where('at', '<', at).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
