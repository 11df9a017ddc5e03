import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OrgSettingsTable } from './table.ts'

type Stored = Pick<Selectable<OrgSettingsTable>, 'time_zone' | 'language' | 'country' | 'files_limit_bytes'>

const settingsOf = hotQuery((db, p: { orgId: string }) =>
  db
    .selectFrom('org_settings')
    .select(['time_zone', 'language', 'country', 'files_limit_bytes'])
    .where('org_id', '=', p.orgId),
)

/** What an organization has chosen; undefined: nothing yet. */
export const findSettings = async (db: Db, orgId: string): Promise<Stored | undefined> =>
  (await settingsOf(db, { orgId }))[0]

export async function saveSettings(db: OrgDb, orgId: string, settings: Stored, at: string): Promise<void> {
  const values = { ...settings, updated_at: at }
  await db
    .insertInto('org_settings')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

/** Puts a logo's address and answers the one that stood there. */
export async function replaceLogo(db: OrgDb, orgId: string, logo: string | null): Promise<string | null> {
  const before = await db.selectFrom('organization').select('logo').where('id', '=', orgId).executeTakeFirstOrThrow()
  await db.updateTable('organization').set({ logo }).where('id', '=', orgId).execute()
  return before.logo
}

/** Which of these addresses are somebody's logo. */
export async function logosInUse(db: Db, logos: readonly string[]): Promise<Set<string>> {
  if (!logos.length) return new Set()
  const rows = await db.selectFrom('organization').select('logo').where('logo', 'in', logos).execute()
  return new Set(rows.flatMap(row => row.logo ?? []))
}

/** So many addresses an organization has had. */
export async function countFormerSlugs(db: Db, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('former_slug')
    .where('org_id', '=', orgId)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What an organization is called; empty: it is gone. */
export async function findName(db: Db, orgId: string): Promise<string> {
  const row = await db.selectFrom('organization').select('name').where('id', '=', orgId).executeTakeFirst()
  return row?.name ?? ''
}
