import type { Db } from '#server/platform/db/database.ts'
import { tagErrors } from './errors.ts'
import { findTag, type StoredTag } from './store.ts'

/** @throws TAGS_NOT_FOUND */
export async function getTag(db: Db, orgId: string, id: string): Promise<StoredTag> {
  const tag = await findTag(db, orgId, id)
  if (!tag) throw tagErrors.NOT_FOUND()
  return tag
}
