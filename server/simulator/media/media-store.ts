import { webcrypto } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { newGraphId } from '#server/whatsapp/serving/ids.ts'
import type { SandboxMediaTable } from '../table.ts'

export interface StoredMedia {
  id: string
  mime: string
  name: string | null
  size: number
  /** Lowercase hex. */
  sha256: string
}

const toMedia = (
  row: Pick<Selectable<SandboxMediaTable>, 'id' | 'mime' | 'name' | 'size' | 'sha256'>,
): StoredMedia => ({
  id: row.id,
  mime: row.mime,
  name: row.name,
  size: row.size,
  sha256: row.sha256,
})

/** Hashes on another thread, because hashing sixteen megabytes would block the event loop. */
const sha256Of = async (bytes: Buffer): Promise<string> =>
  Buffer.from(
    await webcrypto.subtle.digest(
      'SHA-256',
      new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length),
    ),
  ).toString('hex')

export async function insertMedia(
  db: Db,
  orgId: string,
  file: { mime: string; name: string | null; bytes: Buffer; expiresMs: number },
): Promise<StoredMedia> {
  const media = {
    id: newGraphId(16),
    mime: file.mime,
    name: file.name,
    size: file.bytes.length,
    sha256: await sha256Of(file.bytes),
  }
  await db
    .insertInto('sandbox_media')
    .values({ ...media, org_id: orgId, expires_ms: file.expiresMs, bytes: file.bytes })
    .execute()
  return media
}

/** Undefined also if it has expired. */
export async function findMedia(db: Db, orgId: string, id: string, nowMs: number): Promise<StoredMedia | undefined> {
  const row = await db
    .selectFrom('sandbox_media')
    .select(['id', 'mime', 'name', 'size', 'sha256'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('expires_ms', '>', nowMs)
    .executeTakeFirst()
  return row && toMedia(row)
}

export async function findMediaBytes(
  db: Db,
  orgId: string,
  id: string,
  nowMs: number,
): Promise<(StoredMedia & { bytes: Buffer }) | undefined> {
  const row = await db
    .selectFrom('sandbox_media')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('expires_ms', '>', nowMs)
    .executeTakeFirst()
  return row && { ...toMedia(row), bytes: row.bytes }
}

export async function deleteMedia(db: Db, orgId: string, id: string): Promise<void> {
  await db.deleteFrom('sandbox_media').where('org_id', '=', orgId).where('id', '=', id).execute()
}

export async function deleteMediaBefore(db: Db, beforeMs: number, limit: number): Promise<number> {
  const old = db.selectFrom('sandbox_media').select('id').where('expires_ms', '<', beforeMs).limit(limit)
  const result = await db.deleteFrom('sandbox_media').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
