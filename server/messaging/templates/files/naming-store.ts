import { sql } from 'kysely'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { RecipientState } from '#shared/bulk-sends/states.ts'

/** A page of rows that may name files: their texts, and the key after which the next page begins. */
interface NamingPage {
  readonly texts: readonly (string | null)[]
  readonly next: string | undefined
}

const pageRows = 10
const recipientRows = 200
/** Literals, because the index of jobs repeats them. */
const unfinished = sql<boolean>`job.state in ('scheduled', 'waiting', 'running', 'retrying', 'parked')`
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

/** Recipes of bulk sends, and the contents of open ones. */
const bulkSends: ReadPage = async (db, orgId, after) =>
  pageOf(
    (
      await db
        .selectFrom('bulk_send')
        .select(['id', 'recipe', 'template', 'request', 'ended_at'])
        .where('org_id', '=', orgId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageRows)
        .execute()
    ).map(row => ({
      key: row.id,
      texts: row.ended_at === null ? [row.recipe, row.template, row.request] : [row.recipe],
    })),
  )

/** Open bulk sends after an id whose recipients may each have a file of their own. `next` as in pages. */
async function listOpenSends(
  db: Db,
  orgId: string,
  after: string,
): Promise<{ readonly ids: readonly string[]; readonly next: string | undefined }> {
  const rows = await db
    .selectFrom('bulk_send')
    .select(['id', 'recipe', 'ended_at'])
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(pageRows)
    .execute()
  const open = rows.filter(({ ended_at: at, recipe }) => at === null && mayDifferByPerson(recipe))
  return { ids: open.map(({ id }) => id), next: rows.length < pageRows ? undefined : rows.at(-1)?.id }
}

/** A recipe omits values from columns, and contact fields differ by recipient too. */
function mayDifferByPerson(recipe: string | null): boolean {
  if (recipe === null) return true
  const { hadColumns, values } = JSON.parse(recipe) as { hadColumns?: boolean; values?: { file?: unknown } }
  return hadColumns === true || values?.file !== undefined
}

/** Values of recipients in this state, after a position. */
export const selectValues = (
  db: Db,
  orgId: string,
  { sendId, state, after }: { sendId: string; state: RecipientState; after: number },
) =>
  db
    .selectFrom('bulk_recipient')
    .select(['place', 'template_values'])
    .where('send_id', '=', sendId)
    .where('state', '=', state)
    .where('place', '>', after)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .orderBy('place')
    .limit(recipientRows)

/** Values of all recipients of open bulk sends that have not been sent, page by page. */
async function* readRecipients(db: Db, orgId: string): AsyncGenerator<readonly (string | null)[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { ids, next } = await listOpenSends(db, orgId, after)
    // In this order, a recipient that is handed over meanwhile is read twice instead of missed.
    for (const sendId of ids)
      for (const state of ['planned', 'queued'] as const)
        for (let place = -1, isMore = true; isMore; ) {
          const rows = await selectValues(db, orgId, { sendId, state, after: place }).execute()
          yield rows.map(row => row.template_values)
          isMore = rows.length === recipientRows
          place = rows.at(-1)?.place ?? place
        }
    after = next
    yield []
  }
}

/** Queued and retried messages after a job. */
export const selectWaitingMessages = (db: Db, orgId: string, after: number) =>
  db
    .selectFrom('job')
    .innerJoin('message', 'message.id', 'job.unique_key')
    .select(['job.seq', 'message.outbound'])
    .where('job.kind', '=', 'outbox.message')
    .where(unfinished)
    .where(belongsTo('job.org_id', orgId))
    .where(belongsTo('message.org_id', orgId))
    .where('job.seq', '>', after)
    .orderBy('job.seq')
    .limit(recipientRows)

async function* readWaitingMessages(db: Db, orgId: string): AsyncGenerator<readonly (string | null)[]> {
  for (let after = 0, isMore = true; isMore; ) {
    const rows = await selectWaitingMessages(db, orgId, after).execute()
    yield rows.map(row => row.outbound)
    isMore = rows.length === recipientRows
    after = rows.at(-1)?.seq ?? after
  }
}

/** The recipients of a bulk send are being written: files named in its cells are not in any row yet. */
export const isAnySendPrepared = async (db: Db, orgId: string): Promise<boolean> =>
  (await db
    .selectFrom('bulk_send')
    .select('id')
    .where('org_id', '=', orgId)
    .where('is_test', '=', 0)
    .where('state', '=', 'preparing')
    .limit(1)
    .executeTakeFirst()) !== undefined

const pages: readonly ReadPage[] = [templates, bulkDrafts, flows, flowVersions, flowTests, bulkSends]

/**
 * Texts of all rows that may name a header file, except sent messages, page by page. Planned rows are read before
 * queued ones, so that none is missed while it moves.
 */
export async function* readNamingTexts(db: Db, orgId: string): AsyncGenerator<readonly (string | null)[]> {
  for (const read of pages)
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: NamingPage = await read(db, orgId, after)
      yield page.texts
      after = page.next
    }
  yield* readRecipients(db, orgId)
  yield* readWaitingMessages(db, orgId)
}
