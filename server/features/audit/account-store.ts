import type { Db } from '#server/platform/db/database.ts'
import type { AuditEntryTable, SiteAuditEntryTable } from './table.ts'

/** As many organizations as somebody's access is written down in; better-auth lets nobody open more. */
const mostOrgs = 100

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

/** Where a session was made. */
export const findSessionOrigin = (db: Db, id: string) =>
  db.selectFrom('session').select(['ipAddress', 'userAgent']).where('id', '=', id).executeTakeFirst()

/** Id of the person whose session it is. */
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

/** The organizations that somebody is in. */
export async function listOrgsOfAccount(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .where('member.userId', '=', userId)
    .where('organization.deleted_at', 'is', null)
    .select('organization.id')
    .orderBy('organization.id')
    .limit(mostOrgs)
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertEntriesOf(db: Db, entries: readonly AuditEntryTable[]): Promise<void> {
  if (entries.length) await db.insertInto('audit_entry').values(entries).execute()
}

export async function insertSiteEntry(db: Db, entry: SiteAuditEntryTable): Promise<void> {
  await db.insertInto('site_audit_entry').values(entry).execute()
}

/** What was begun is done. */
export async function finishEntries(db: Db, ids: readonly string[]): Promise<void> {
  for (const table of ['audit_entry', 'site_audit_entry'] as const)
    await db.updateTable(table).set({ is_done: 1 }).where('id', 'in', ids).where('is_done', '=', 0).execute()
}

/** What was begun was refused, so nothing has changed. */
export async function deleteBegunEntries(db: Db, ids: readonly string[]): Promise<void> {
  for (const table of ['audit_entry', 'site_audit_entry'] as const)
    await db.deleteFrom(table).where('id', 'in', ids).where('is_done', '=', 0).execute()
}

/** Newest first. Ids sort by time. */
export const listSiteEntries = (
  db: Db,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<SiteAuditEntryTable[]> => {
  const query = db.selectFrom('site_audit_entry').selectAll()
  return (before === undefined ? query : query.where('id', '<', before)).orderBy('id', 'desc').limit(limit).execute()
}

/** Deletes up to `limit` entries from before `at`; answers how many went. */
export async function deleteSiteEntriesBefore(db: Db, at: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('site_audit_entry')
    .where('id', 'in', query => query.selectFrom('site_audit_entry').select('id').where('at', '<', at).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
