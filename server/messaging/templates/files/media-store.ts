import type { Db } from '#server/platform/db/database.ts'

export interface TemplateFile {
  readonly id: string
  readonly mime: string
  readonly name: string | null
  readonly size: number
  readonly sha256: string
  /** Relative to the media folder. */
  readonly path: string
}

export async function insertFile(
  db: Db,
  orgId: string,
  file: TemplateFile & { broughtBy: string | null; createdAt: string },
): Promise<void> {
  const { broughtBy, createdAt, ...values } = file
  await db
    .insertInto('template_media')
    .values({ org_id: orgId, ...values, brought_by: broughtBy, created_at: createdAt })
    .execute()
}

export async function deleteFile(db: Db, orgId: string, id: string): Promise<void> {
  await db.deleteFrom('template_media').where('org_id', '=', orgId).where('id', '=', id).execute()
}

export async function listFiles(db: Db, orgId: string, ids: readonly string[]): Promise<Map<string, TemplateFile>> {
  if (!ids.length) return new Map()
  const rows = await db
    .selectFrom('template_media')
    .select(['id', 'mime', 'name', 'size', 'sha256', 'path'])
    .where('org_id', '=', orgId)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Files by their names. Of equal names, the latest file. */
export async function listFilesNamed(
  db: Db,
  orgId: string,
  names: readonly string[],
): Promise<Map<string, TemplateFile>> {
  if (!names.length) return new Map()
  const rows = await db
    .selectFrom('template_media')
    .select(['id', 'mime', 'name', 'size', 'sha256', 'path'])
    .where('org_id', '=', orgId)
    .where('name', 'in', [...new Set(names)])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return new Map(rows.flatMap(row => (row.name === null ? [] : [[row.name, row]])))
}

/** A file by id alone. It contains the organization, and the caller must check that the user is a member of it. */
export async function findFileAnywhere(db: Db, id: string): Promise<(TemplateFile & { orgId: string }) | undefined> {
  const row = await db.selectFrom('template_media').selectAll().where('id', '=', id).executeTakeFirst()
  return (
    row && {
      id: row.id,
      orgId: row.org_id,
      mime: row.mime,
      name: row.name,
      size: row.size,
      sha256: row.sha256,
      path: row.path,
    }
  )
}
