import type { Expression, SqlBool } from 'kysely'
import { containsText, hotWrite } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { fold } from '#shared/kernel/fold.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import { metaSamples } from '#shared/templates/samples.ts'
import type { ParameterFormat } from '#shared/templates/words.ts'
import type { TemplateTable } from './table.ts'

/** A stored file of a header. `card` null: the template's own header. */
export interface MediaRef {
  readonly card: number | null
  readonly id: string
}

/** Values are Meta's words. */
export interface StoredTemplate {
  readonly id: string
  readonly wabaId: string
  readonly name: string
  readonly language: string
  readonly status: string
  readonly category: string
  readonly categoryAsked: string | null
  readonly parameterFormat: ParameterFormat
  readonly components: TemplateComponent[]
  readonly media: readonly MediaRef[]
  readonly quality: string
  readonly rejectedReason: string | null
  readonly note: string | null
  readonly pausedUntil: string | null
  readonly ttlSeconds: number | null
  readonly uses: number
  readonly lastUsedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly syncedAt: string | null
}

const toTemplate = (row: TemplateTable): StoredTemplate => ({
  id: row.id,
  wabaId: row.waba_id,
  name: row.name,
  language: row.language,
  status: row.status,
  category: row.category,
  categoryAsked: row.category_asked,
  parameterFormat: row.parameter_format,
  components: JSON.parse(row.components),
  media: JSON.parse(row.media),
  quality: row.quality,
  rejectedReason: row.rejected_reason,
  note: row.note,
  pausedUntil: row.paused_until,
  ttlSeconds: row.ttl_seconds,
  uses: row.uses,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  syncedAt: row.synced_at,
})

const textsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value !== 'object' || value === null || depth > 6) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : key === 'example' ? [] : textsIn(inner, depth + 1),
  )
}

const valuesOf = (template: Omit<StoredTemplate, 'id' | 'wabaId'>) => ({
  name: template.name,
  language: template.language,
  status: template.status,
  category: template.category,
  category_asked: template.categoryAsked,
  parameter_format: template.parameterFormat,
  components: JSON.stringify(template.components),
  media: JSON.stringify(template.media),
  search_text: fold([template.name, ...textsIn(template.components)].join('\n')).slice(0, 8_000),
  quality: template.quality,
  rejected_reason: template.rejectedReason,
  note: template.note,
  paused_until: template.pausedUntil,
  ttl_seconds: template.ttlSeconds,
  uses: template.uses,
  last_used_at: template.lastUsedAt,
  created_at: template.createdAt,
  updated_at: template.updatedAt,
  synced_at: template.syncedAt,
})

interface TemplateFilters {
  readonly status?: string | undefined
  readonly category?: string | undefined
  readonly language?: string | undefined
  readonly quality?: string | undefined
  readonly name?: string | undefined
  readonly search?: string | undefined
}

const ofAccount = (db: Db, orgId: string, wabaId: string) =>
  db.selectFrom('template').selectAll().where('org_id', '=', orgId).where('waba_id', '=', wabaId)

/** Latest change first. */
export async function listTemplates(
  db: Db,
  orgId: string,
  wabaId: string,
  filters: TemplateFilters,
  page: { offset: number; limit: number },
): Promise<StoredTemplate[]> {
  let query = ofAccount(db, orgId, wabaId)
  for (const key of ['status', 'category', 'language', 'quality', 'name'] as const)
    if (filters[key] !== undefined) query = query.where(key, '=', filters[key])
  const words = fold(filters.search ?? '').trim()
  if (words) query = query.where(containsText('search_text', words))
  const rows = await query
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  return rows.map(toTemplate)
}

const selectTemplate = hotQuery((db, p: { orgId: string; id: string }) =>
  db.selectFrom('template').selectAll().where('org_id', '=', p.orgId).where('id', '=', p.id),
)

export async function findTemplate(db: Db, orgId: string, id: string): Promise<StoredTemplate | undefined> {
  const [row] = await selectTemplate(db, { orgId, id })
  return row && toTemplate(row)
}

/** All languages of these names, by name and language. */
export async function listByNames(
  db: Db,
  orgId: string,
  wabaId: string,
  names: readonly string[],
): Promise<StoredTemplate[]> {
  if (!names.length) return []
  const rows = await ofAccount(db, orgId, wabaId)
    .where('name', 'in', [...new Set(names)])
    .orderBy('name')
    .orderBy('language')
    .execute()
  return rows.map(toTemplate)
}

/** All languages of a name. */
export const listByName = (db: Db, orgId: string, wabaId: string, name: string): Promise<StoredTemplate[]> =>
  listByNames(db, orgId, wabaId, [name])

export async function findByKey(
  db: Db,
  orgId: string,
  wabaId: string,
  key: { name: string; language: string },
): Promise<StoredTemplate | undefined> {
  const row = await ofAccount(db, orgId, wabaId)
    .where('name', '=', key.name)
    .where('language', '=', key.language)
    .executeTakeFirst()
  return row && toTemplate(row)
}

/** The next templates of the account, by name and language, after `after`. */
export async function listNext(
  db: Db,
  orgId: string,
  wabaId: string,
  { after, limit }: { after: { name: string; language: string } | undefined; limit: number },
): Promise<StoredTemplate[]> {
  let query = ofAccount(db, orgId, wabaId).orderBy('name').orderBy('language').limit(limit)
  if (after) query = query.where(eb => eb(eb.refTuple('name', 'language'), '>', eb.tuple(after.name, after.language)))
  return (await query.execute()).map(toTemplate)
}

/** Inserts a template or overwrites the one with its name and language. Its id may change. */
export async function putTemplate(db: OrgDb, orgId: string, template: StoredTemplate): Promise<void> {
  const values = valuesOf(template)
  await db
    .insertInto('template')
    .values({ id: template.id, org_id: orgId, waba_id: template.wabaId, ...values })
    .onConflict(conflict =>
      conflict.columns(['org_id', 'waba_id', 'name', 'language']).doUpdateSet({ id: template.id, ...values }),
    )
    .execute()
}

/** Overwrites a template by id, even if its name changes. Returns whether it existed. */
export async function replaceTemplate(
  db: OrgDb,
  orgId: string,
  id: string,
  template: StoredTemplate,
): Promise<boolean> {
  const result = await db
    .updateTable('template')
    .set({ id: template.id, waba_id: template.wabaId, ...valuesOf(template) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteTemplates(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 500)
    await db
      .deleteFrom('template')
      .where('org_id', '=', orgId)
      .where('id', 'in', ids.slice(from, from + 500))
      .execute()
}

export async function countByStatus(db: Db, orgId: string, wabaId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('template')
    .select(['status', eb => eb.fn.countAll<number>().as('count')])
    .where('org_id', '=', orgId)
    .where('waba_id', '=', wabaId)
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map(row => [row.status, Number(row.count)]))
}

/** Languages in use, by code. `own`: how many templates are in it, without Meta's samples. */
export async function countByLanguage(
  db: Db,
  orgId: string,
  wabaId: string,
): Promise<{ language: string; own: number }[]> {
  const rows = await db
    .selectFrom('template')
    .select('language')
    .select(({ fn }) => fn.countAll<number>().filterWhere('name', 'not in', metaSamples).as('own'))
    .where('org_id', '=', orgId)
    .where('waba_id', '=', wabaId)
    .groupBy('language')
    .orderBy('language')
    .execute()
  return rows.map(({ language, own }) => ({ language, own: Number(own) }))
}

/** Templates of other accounts whose name and language the account lacks, latest change first. */
export async function listEarlier(
  db: Db,
  orgId: string,
  wabaId: string,
  page: { offset: number; limit: number },
): Promise<StoredTemplate[]> {
  const rows = await db
    .selectFrom('template as old')
    .selectAll('old')
    .where('old.org_id', '=', orgId)
    .where('old.waba_id', '!=', wabaId)
    .where(
      eb =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('template as now')
              .select('now.id')
              .whereRef('now.org_id', '=', 'old.org_id')
              .where('now.waba_id', '=', wabaId)
              .whereRef('now.name', '=', 'old.name')
              .whereRef('now.language', '=', 'old.language'),
          ),
        ) as Expression<SqlBool>,
    )
    .orderBy('old.updated_at', 'desc')
    .orderBy('old.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  return rows.map(toTemplate)
}

const updateUse = hotWrite<{ orgId: string; id: string; count: number; at: string }>(
  (db, p) =>
    db
      .updateTable('template')
      .set(eb => ({ uses: eb('uses', '+', p.count), last_used_at: p.at }))
      .where('org_id', '=', p.orgId)
      .where('id', '=', p.id) as never,
)

/** Counts a send. */
export async function noteUse(db: OrgDb, orgId: string, id: string, use: { count: number; at: string }): Promise<void> {
  await updateUse(db, { orgId, id, ...use })
}
