import type { Db } from '#server/platform/db/database.ts'

/** Sets a picture's address; returns the previous one. */
export async function replaceImage(trx: Db, userId: string, image: string | null, at: string): Promise<string | null> {
  const before = await trx.selectFrom('user').select('image').where('id', '=', userId).executeTakeFirstOrThrow()
  await trx.updateTable('user').set({ image, updatedAt: at }).where('id', '=', userId).execute()
  return before.image
}

/** Returns the addresses that are some person's picture. */
export async function imagesInUse(db: Db, images: readonly string[]): Promise<Set<string>> {
  if (!images.length) return new Set()
  const rows = await db.selectFrom('user').select('image').where('image', 'in', images).execute()
  return new Set(rows.flatMap(row => row.image ?? []))
}

/** @param signature null removes it */
export async function saveSignature(db: Db, userId: string, signature: string | null, at: string): Promise<void> {
  await db.updateTable('user').set({ signature, updatedAt: at }).where('id', '=', userId).execute()
}
