import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import type { ParameterFormat, TemplateQuality } from '#shared/templates/words.ts'
import type { SandboxTemplateTable } from '../table.ts'

/** A template of a simulated account. */
export interface SandboxTemplate {
  id: string
  orgId: string
  name: string
  language: string
  status: string
  category: string
  previousCategory: string | null
  parameterFormat: ParameterFormat
  components: TemplateComponent[]
  quality: TemplateQuality
  rejectedReason: string
  ttlSeconds: number | null
  /** Pauses for low quality so far. The third one disables the template. */
  pauses: number
  /** Times of its edits while it was approved, in Unix milliseconds of the number's clock. */
  editsMs: number[]
  /** The review or pause ends at this time; null: nothing is pending. */
  reviewMs: number | null
  createdMs: number
}

const toTemplate = (row: Selectable<SandboxTemplateTable>): SandboxTemplate => ({
  id: row.id,
  orgId: row.org_id,
  name: row.name,
  language: row.language,
  status: row.status,
  category: row.category,
  previousCategory: row.previous_category,
  parameterFormat: row.parameter_format,
  components: JSON.parse(row.components),
  quality: row.quality as TemplateQuality,
  rejectedReason: row.rejected_reason,
  ttlSeconds: row.ttl_seconds,
  pauses: row.pauses,
  editsMs: JSON.parse(row.edits_ms),
  reviewMs: row.review_ms,
  createdMs: row.created_ms,
})

const living = (db: Db, orgId: string) =>
  db.selectFrom('sandbox_template').selectAll().where('org_id', '=', orgId).where('deleted_ms', 'is', null)

/** Compares literally: `_`, which most names have, is not a wildcard. */
const contains = (column: 'name' | 'components', words: string) =>
  sql<boolean>`${sql.ref(column)} like ${`%${words.replace(/[%_\\]/g, '\\$&')}%`} escape '\\'`

export async function listTemplates(
  db: Db,
  orgId: string,
  page: { after?: string | undefined; limit: number },
  filters: {
    /** Part of the name. */
    name?: string | undefined
    nameOrContent?: string | undefined
    status?: readonly string[] | undefined
    category?: readonly string[] | undefined
    language?: readonly string[] | undefined
    quality?: readonly string[] | undefined
  } = {},
): Promise<SandboxTemplate[]> {
  let query = living(db, orgId)
  if (page.after !== undefined) query = query.where('id', '>', page.after)
  if (filters.name !== undefined) query = query.where(contains('name', filters.name))
  const { nameOrContent: words } = filters
  if (words !== undefined) query = query.where(eb => eb.or([contains('name', words), contains('components', words)]))
  for (const key of ['status', 'category', 'language', 'quality'] as const) {
    const values = filters[key]
    if (values !== undefined) query = query.where(key, 'in', values.length ? [...values] : [''])
  }
  return (await query.orderBy('id').limit(page.limit).execute()).map(toTemplate)
}

export async function findTemplate(db: Db, orgId: string, id: string): Promise<SandboxTemplate | undefined> {
  const row = await living(db, orgId).where('id', '=', id).executeTakeFirst()
  return row && toTemplate(row)
}

export async function listByName(db: Db, orgId: string, name: string): Promise<SandboxTemplate[]> {
  return (await living(db, orgId).where('name', '=', name).execute()).map(toTemplate)
}

/** All languages of these names, deleted ones included because sent messages still show them. */
export async function listByNames(db: Db, orgId: string, names: readonly string[]): Promise<SandboxTemplate[]> {
  if (!names.length) return []
  const rows = await db
    .selectFrom('sandbox_template')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('name', 'in', names)
    .orderBy('created_ms')
    .limit(1000)
    .execute()
  return rows.map(toTemplate)
}

/** Returns the time at which the last approved template of this name was deleted; null: the name is free. */
export async function nameDeletedMs(db: Db, orgId: string, name: string): Promise<number | null> {
  const row = await db
    .selectFrom('sandbox_template')
    .select(eb => eb.fn.max('deleted_ms').as('at'))
    .where('org_id', '=', orgId)
    .where('name', '=', name)
    .where('status', '=', 'APPROVED')
    .executeTakeFirst()
  return row?.at ?? null
}

/** True if the account has, or ever had, a template. An account that never had one gets samples. */
export async function hasAnyTemplate(db: Db, orgId: string): Promise<boolean> {
  return (
    (await db.selectFrom('sandbox_template').select('id').where('org_id', '=', orgId).limit(1).executeTakeFirst()) !==
    undefined
  )
}

/** The columns that change after creation. */
const changingColumns = (template: SandboxTemplate) => ({
  status: template.status,
  category: template.category,
  previous_category: template.previousCategory,
  components: JSON.stringify(template.components),
  quality: template.quality,
  rejected_reason: template.rejectedReason,
  ttl_seconds: template.ttlSeconds,
  pauses: template.pauses,
  edits_ms: JSON.stringify(template.editsMs),
  review_ms: template.reviewMs,
})

export async function insertTemplate(db: Db, template: SandboxTemplate): Promise<void> {
  await db
    .insertInto('sandbox_template')
    .values({
      id: template.id,
      org_id: template.orgId,
      name: template.name,
      language: template.language,
      parameter_format: template.parameterFormat,
      ...changingColumns(template),
      deleted_ms: null,
      created_ms: template.createdMs,
    })
    .execute()
}

export async function saveTemplate(db: Db, template: SandboxTemplate): Promise<void> {
  await db
    .updateTable('sandbox_template')
    .set(changingColumns(template))
    .where('org_id', '=', template.orgId)
    .where('id', '=', template.id)
    .execute()
}

export async function deleteTemplates(db: Db, orgId: string, ids: readonly string[], nowMs: number): Promise<void> {
  await db
    .updateTable('sandbox_template')
    .set({ deleted_ms: nowMs, review_ms: null })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
}
