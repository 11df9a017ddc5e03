import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'

export interface LookedFile {
  readonly id: string
  readonly orgId: string
  readonly sentAt: string | null
}

/** Organizations with files that were brought, and last looked at, before that time. */
export async function listOrgsToLook(db: Db, before: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('template_media')
    .select('org_id')
    .distinct()
    .where('looked_at', '<', before)
    .where('created_at', '<', before)
    .limit(limit)
    .execute()
  return rows.map(row => row.org_id)
}

export async function listFilesToLook(db: Db, orgId: string, before: string, limit: number): Promise<LookedFile[]> {
  const rows = await db
    .selectFrom('template_media')
    .select(['id', 'org_id', 'sent_at'])
    .where('org_id', '=', orgId)
    .where('looked_at', '<', before)
    .where('created_at', '<', before)
    .limit(limit)
    .execute()
  return rows.map(row => ({ id: row.id, orgId: row.org_id, sentAt: row.sent_at }))
}

export async function markLooked(db: OrgDb, orgId: string, ids: readonly string[], at: string): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('template_media')
    .set({ looked_at: at })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
}

/** Files that messages of these conversations carried, and no others. */
export async function listSentInOnly(db: Db, orgId: string, conversationIds: readonly string[]): Promise<string[]> {
  if (!conversationIds.length) return []
  const rows = await db
    .selectFrom('template_media')
    .select('id')
    .where('org_id', '=', orgId)
    .where('sent_in', 'in', conversationIds)
    .execute()
  return rows.map(row => row.id)
}

/** A message of that conversation carries these. */
export async function markSent(
  db: Db,
  orgId: string,
  ids: readonly string[],
  { conversationId, at }: { conversationId: string; at: string },
): Promise<void> {
  await db
    .updateTable('template_media')
    .set(eb => ({
      sent_at: at,
      sent_in: eb
        .case()
        .when(eb.fn.coalesce('sent_in', eb.val(conversationId)), '=', conversationId)
        .then(conversationId)
        .else('')
        .end(),
    }))
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
}

export async function findRetentionMonths(db: Db, orgId: string): Promise<number | null> {
  const row = await db
    .selectFrom('org_settings')
    .select('retention_months')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.retention_months ?? null
}

/** Whether something is on its way whose rows are not looked through: a bulk send, or a message that waits. */
export async function hasSendsUnderWay(db: Db, orgId: string): Promise<boolean> {
  const bulk = await db
    .selectFrom('bulk_send')
    .select('id')
    .where('org_id', '=', orgId)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (bulk) return true
  const waiting = await db
    .selectFrom('job')
    .select('seq')
    .where('org_id', '=', orgId)
    .where('kind', '=', 'outbox.message')
    .where('finished_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

/** Rows that may name files, a page at a time: `texts` of each, and the key that the next page begins behind. */
interface NamingPage {
  readonly texts: readonly (string | null)[]
  readonly next: string | undefined
}

const pageRows = 10
const pageOf = (rows: readonly { key: string; texts: readonly (string | null)[] }[]): NamingPage => ({
  texts: rows.flatMap(row => row.texts),
  next: rows.length < pageRows ? undefined : rows.at(-1)?.key,
})

type ReadPage = (db: Db, orgId: string, after: string) => Promise<NamingPage>

const templates: ReadPage = async (db, orgId, after) =>
  pageOf(
    (
      await db
        .selectFrom('template')
        .select(['id', 'components', 'media'])
        .where('org_id', '=', orgId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute()
    ).map(row => ({ key: row.id, texts: [row.components, row.media] })),
  )

const bulkDrafts: ReadPage = async (db, orgId, after) =>
  pageOf(
    (
      await db
        .selectFrom('bulk_draft')
        .select(['id', 'steps'])
        .where('org_id', '=', orgId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute()
    ).map(row => ({ key: row.id, texts: [row.steps] })),
  )

const flows: ReadPage = async (db, orgId, after) =>
  pageOf(
    (
      await db
        .selectFrom('flow')
        .select(['id', 'graph'])
        .where('org_id', '=', orgId)
        .where('deleted_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute()
    ).map(row => ({ key: row.id, texts: [row.graph] })),
  )

const flowTests: ReadPage = async (db, orgId, after) =>
  pageOf(
    (
      await db
        .selectFrom('flow_test')
        .select(['id', 'graph'])
        .where('org_id', '=', orgId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute()
    ).map(row => ({ key: row.id, texts: [row.graph] })),
  )

const flowVersions: ReadPage = async (db, orgId, after) => {
  const [flowId = '', version = '0'] = after.split(' ')
  const rows = await db
    .selectFrom('flow_version')
    .select(['flow_id', 'version', 'graph'])
    .where('org_id', '=', orgId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('flow_id', 'version'), '>', tuple(flowId, Number(version))))
    .orderBy('flow_id')
    .orderBy('version')
    .limit(pageRows)
    .execute()
  return pageOf(rows.map(row => ({ key: `${row.flow_id} ${row.version}`, texts: [row.graph] })))
}

/** What a send that has ended could be made from again. */
const recipes: ReadPage = async (db, orgId, after) =>
  pageOf(
    (
      await db
        .selectFrom('bulk_send')
        .select(['id', 'recipe'])
        .where('org_id', '=', orgId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute()
    ).map(row => ({ key: row.id, texts: [row.recipe] })),
  )

/** Every place but messages in which a file of a header may be named. */
export const namingPages: readonly ReadPage[] = [templates, bulkDrafts, flows, flowVersions, flowTests, recipes]
