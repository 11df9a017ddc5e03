import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { maxTags, maxTagsOfContact } from '#shared/tags/api.ts'
import { addToContacts, countTags, removeFromContacts } from './contact-store.ts'
import { tagErrors } from './errors.ts'
import { getTag } from './get-tag.ts'
import { findTag, listTags, type StoredTag } from './store.ts'

/** The contacts that changed. */
interface Tagged {
  readonly tag: StoredTag
  readonly contactIds: readonly string[]
}

/** The tags of an organization's contacts, for other features. */
export interface Tags {
  /** The tags of an organization, by label. */
  list(db: Db, orgId: string): Promise<StoredTag[]>
  has(db: Db, orgId: string, id: string): Promise<boolean>
  /**
   * Adds a tag to some hundred contacts at most. Returns those that did not have it. The caller emits `contact.tagged`.
   * @throws TAGS_NOT_FOUND, TAGS_TOO_MANY_ON_CONTACT when one of them has too many; then none gets it
   */
  putOn(db: OrgDb, orgId: string, contactIds: readonly string[], tagId: string): Promise<Tagged>
  /** Removes it. Returns those that had it. The caller emits `contact.untagged`. @throws TAGS_NOT_FOUND */
  takeOff(db: OrgDb, orgId: string, contactIds: readonly string[], tagId: string): Promise<Tagged>
}

export const createTags = (): Tags => ({
  list: (db, orgId) => listTags(db, orgId, maxTags),
  has: async (db, orgId, id) => (await findTag(db, orgId, id)) !== undefined,
  async putOn(db, orgId, contactIds, tagId) {
    const tag = await getTag(db, orgId, tagId)
    const known = await countTags(db, orgId, contactIds, tagId)
    const without = contactIds.filter(id => !known.get(id)?.hasIt)
    if (without.some(id => (known.get(id)?.tags ?? 0) >= maxTagsOfContact))
      throw tagErrors.TOO_MANY_ON_CONTACT({ params: { limit: maxTagsOfContact } })
    if (without.length) await addToContacts(db, orgId, without, tagId)
    return { tag, contactIds: without }
  },
  async takeOff(db, orgId, contactIds, tagId) {
    const tag = await getTag(db, orgId, tagId)
    const known = await countTags(db, orgId, contactIds, tagId)
    const having = contactIds.filter(id => known.get(id)?.hasIt)
    if (having.length) await removeFromContacts(db, orgId, having, tagId)
    return { tag, contactIds: having }
  },
})
