import { maxTags, maxTagsOfContact } from '#shared/tags.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import { addToContact, removeFromContact, tagIdsOf } from './contact-store.ts'
import { tagErrors } from './errors.ts'
import { getTag } from './get-tag.ts'
import { findTag, listTags, type StoredTag } from './store.ts'

/** The tags of an organization's contacts, for other rooms. */
export interface Tags {
  /** By label. */
  list(db: Db, orgId: string): Promise<StoredTag[]>
  has(db: Db, orgId: string, id: string): Promise<boolean>
  /**
   * Puts a tag on a contact; answers it, or undefined if the contact had it. Whoever asks emits `contact.tagged`.
   * @throws TAGS_NOT_FOUND, TAGS_TOO_MANY_ON_CONTACT
   */
  putOn(db: OrgDb, orgId: string, contactId: string, tagId: string): Promise<StoredTag | undefined>
  /**
   * Takes it off; answers it, or undefined if the contact did not have it. Whoever asks emits `contact.untagged`.
   * @throws TAGS_NOT_FOUND
   */
  takeOff(db: OrgDb, orgId: string, contactId: string, tagId: string): Promise<StoredTag | undefined>
}

export const createTags = (): Tags => ({
  list: (db, orgId) => listTags(db, orgId, maxTags),
  has: async (db, orgId, id) => (await findTag(db, orgId, id)) !== undefined,
  async putOn(db, orgId, contactId, tagId) {
    const tag = await getTag(db, orgId, tagId)
    const known = await tagIdsOf(db, orgId, contactId)
    if (known.has(tagId)) return undefined
    if (known.size >= maxTagsOfContact) throw tagErrors.TOO_MANY_ON_CONTACT({ params: { limit: maxTagsOfContact } })
    await addToContact(db, orgId, { contactId, tagId })
    return tag
  },
  async takeOff(db, orgId, contactId, tagId) {
    const tag = await getTag(db, orgId, tagId)
    if (!(await tagIdsOf(db, orgId, contactId)).has(tagId)) return undefined
    await removeFromContact(db, orgId, { contactId, tagId })
    return tag
  },
})
