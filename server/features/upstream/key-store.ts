import type { Db } from '#server/platform/db/database.ts'

export interface StoredKey {
  readonly id: string
  /** JSON */
  readonly publicKey: string
  /** Encrypted JSON. */
  readonly privateKey: string
  readonly createdAt: string
}

/** A key lives for months, so there are two or three. */
const maxKeys = 20

/** Newest first. */
export async function listKeys(db: Db): Promise<StoredKey[]> {
  const rows = await db.selectFrom('upstream_key').selectAll().orderBy('created_at', 'desc').limit(maxKeys).execute()
  return rows.map(row => ({
    id: row.id,
    publicKey: row.public_key,
    privateKey: row.private_key,
    createdAt: row.created_at,
  }))
}

export async function insertKey(db: Db, key: StoredKey): Promise<void> {
  await db
    .insertInto('upstream_key')
    .values({ id: key.id, public_key: key.publicKey, private_key: key.privateKey, created_at: key.createdAt })
    .execute()
}

export async function deleteKey(db: Db, id: string): Promise<void> {
  await db.deleteFrom('upstream_key').where('id', '=', id).execute()
}

/** Returns how many were deleted. */
export async function deleteKeysBefore(db: Db, time: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('upstream_key').where('created_at', '<', time).executeTakeFirst()
  return Number(numDeletedRows)
}
