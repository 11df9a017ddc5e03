import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { AudienceKind, BulkDraft, BulkDraftSteps } from '#shared/bulk-sends/drafts.ts'

export interface StoredDraft extends BulkDraft {
  /** The person, or the creator of the key. */
  readonly creatorId: string
}

export interface WholeDraft extends StoredDraft {
  readonly steps: BulkDraftSteps
}

/** The stored contents of a draft. */
export interface DraftContent {
  readonly steps: BulkDraftSteps
  /** Pasted numbers as digits, so that erasures find them in any spelling. */
  readonly people: string
  readonly savedBy: string
  readonly savedAt: string
}

interface DraftRow {
  id: string
  revision: number
  creator_id: string
  author_name: string
  saver_name: string
  saved_at: string
  summary: string
}
const columns = ['id', 'revision', 'creator_id', 'author_name', 'saver_name', 'saved_at', 'summary'] as const

type Summary = Pick<BulkDraft, 'name' | 'template' | 'hasAudience' | 'audience'>

const kindsOf = ({ audience, hadFile, hadMoreNumbers }: BulkDraftSteps): AudienceKind[] => {
  const isNamed: Readonly<Record<AudienceKind, boolean>> = {
    tags: audience.tagIds.length > 0,
    segment: audience.segment !== undefined,
    numbers: hadMoreNumbers || audience.numbers.trim() !== '',
    file: hadFile,
    unanswered: audience.unanswered !== undefined,
    again: audience.again !== undefined,
  }
  return (Object.keys(isNamed) as AudienceKind[]).filter(kind => isNamed[kind])
}

const summaryOf = (steps: BulkDraftSteps): Summary => {
  const audience = kindsOf(steps)
  return {
    name: steps.name?.trim() || null,
    template: steps.template ?? null,
    hasAudience: audience.length > 0,
    audience,
  }
}

const draftOf = (row: DraftRow): StoredDraft => ({
  id: row.id,
  revision: row.revision,
  // Older drafts do not say how the audience was chosen, and have no name.
  audience: [],
  name: null,
  ...(JSON.parse(row.summary) as Omit<Summary, 'audience' | 'name'> & Partial<Summary>),
  createdBy: row.author_name,
  savedBy: row.saver_name,
  savedAt: row.saved_at,
  creatorId: row.creator_id,
})

const valuesOf = ({ steps, people, savedBy, savedAt }: DraftContent) => ({
  summary: JSON.stringify(summaryOf(steps)),
  steps: JSON.stringify(steps),
  people,
  saver_name: savedBy,
  saved_at: savedAt,
})

/** Latest saved first, without contents. `creatorId`: of one person only. */
export async function listDrafts(
  db: Db,
  orgId: string,
  { creatorId, limit }: { creatorId: string | undefined; limit: number },
): Promise<StoredDraft[]> {
  let query = db.selectFrom('bulk_draft').select(columns).where('org_id', '=', orgId)
  if (creatorId !== undefined) query = query.where('creator_id', '=', creatorId)
  const rows = await query.orderBy('saved_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(draftOf)
}

export async function findDraft(db: Db, orgId: string, id: string): Promise<WholeDraft | undefined> {
  const row = await db
    .selectFrom('bulk_draft')
    .select([...columns, 'steps'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...draftOf(row), steps: JSON.parse(row.steps) }
}

export async function insertDraft(
  db: OrgDb,
  orgId: string,
  { id, creatorId, content }: { id: string; creatorId: string; content: DraftContent },
): Promise<void> {
  const own = { id, org_id: orgId, creator_id: creatorId, author_name: content.savedBy, revision: 1 }
  await db
    .insertInto('bulk_draft')
    .values({ ...own, ...valuesOf(content) })
    .execute()
}

/** Overwrites the given revision. False: it was saved meanwhile, or deleted. */
export async function updateDraft(
  db: OrgDb,
  orgId: string,
  { id, revision, content }: { id: string; revision: number; content: DraftContent },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_draft')
    .set({ ...valuesOf(content), revision: revision + 1 })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeDraft(db: OrgDb, orgId: string, id: string): Promise<void> {
  await db.deleteFrom('bulk_draft').where('org_id', '=', orgId).where('id', '=', id).execute()
}
