import type { Db } from '#server/platform/db/database.ts'

/** A file of an outbound message, with what its upload needs. */
export interface SentMedia {
  id: string
  orgId: string
  mime: string
  sha256: string
  path: string
}

/** Returns the files whose message is still queued, by id. */
export async function listUnsent(db: Db, ids: readonly string[]): Promise<Map<string, SentMedia>> {
  const rows = await db
    .selectFrom('media')
    .innerJoin('message', 'message.id', 'media.message_id')
    .select(['media.id', 'media.org_id', 'media.mime', 'media.sha256', 'media.path'])
    .where('media.id', 'in', ids)
    .where('message.status', '=', 'queued')
    .where('message.wamid', 'is', null)
    .execute()
  return new Map(rows.flatMap(row => toSent(row).map(file => [file.id, file])))
}

export async function findSentMedia(db: Db, orgId: string, id: string): Promise<SentMedia | undefined> {
  const row = await db
    .selectFrom('media')
    .select(['id', 'org_id', 'mime', 'sha256', 'path'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toSent(row)[0]
}

const toSent = (row: {
  id: string
  org_id: string
  mime: string
  sha256: string | null
  path: string | null
}): SentMedia[] =>
  row.path === null || row.sha256 === null
    ? []
    : [{ id: row.id, orgId: row.org_id, mime: row.mime, sha256: row.sha256, path: row.path }]

/** Identifies a copy at WhatsApp: the number and the content. */
interface UploadKey {
  connectionId: string
  sha256: string
  mime: string
}

/** WhatsApp's id of a copy made after that time. */
export async function findUpload(
  db: Db,
  orgId: string,
  { connectionId, sha256, mime }: UploadKey,
  after: string,
): Promise<{ providerId: string; at: string } | undefined> {
  const row = await db
    .selectFrom('uploaded_file')
    .select(['provider_id', 'uploaded_at'])
    .where('org_id', '=', orgId)
    .where('connection_id', '=', connectionId)
    .where('sha256', '=', sha256)
    .where('mime', '=', mime)
    .where('uploaded_at', '>', after)
    .executeTakeFirst()
  return row && { providerId: row.provider_id, at: row.uploaded_at }
}

export async function saveUpload(
  db: Db,
  orgId: string,
  { connectionId, sha256, mime }: UploadKey,
  copy: { providerId: string; at: string },
): Promise<void> {
  const made = { provider_id: copy.providerId, uploaded_at: copy.at }
  await db
    .insertInto('uploaded_file')
    .values({ org_id: orgId, connection_id: connectionId, sha256, mime, ...made })
    .onConflict(conflict => conflict.columns(['org_id', 'connection_id', 'sha256', 'mime']).doUpdateSet(made))
    .execute()
}

export async function deleteUpload(
  db: Db,
  orgId: string,
  { connectionId, sha256, mime }: UploadKey,
  providerId: string,
): Promise<void> {
  await db
    .deleteFrom('uploaded_file')
    .where('org_id', '=', orgId)
    .where('connection_id', '=', connectionId)
    .where('sha256', '=', sha256)
    .where('mime', '=', mime)
    .where('provider_id', '=', providerId)
    .execute()
}

/** Deletes up to `limit` copies from before that time, of all organizations. Returns how many. */
export async function deleteUploadsBefore(db: Db, before: string, limit: number): Promise<number> {
  const key = ['org_id', 'connection_id', 'sha256', 'mime'] as const
  const result = await db
    .deleteFrom('uploaded_file')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple(...key),
        'in',
        selectFrom('uploaded_file')
          .select(key)
          .where('uploaded_at', '<', before)
          .limit(limit)
          .$asTuple(...key),
      ),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
