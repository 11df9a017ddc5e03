import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { findValues, removeValues, saveValues } from '#server/messaging/directory/field-store.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { CustomerIds } from '#server/whatsapp/webhooks/inbound.ts'
import { maxTagsOfContact } from '#shared/tags/api.ts'
import {
  deleteTagged,
  emptyContacts,
  fillContacts,
  findContactFacts,
  findTagged,
  insertTagged,
} from './archived-store.ts'
import { deleteBareContact } from './store.ts'

/** A contact of an archive, with tags and fields of the organization. */
interface ArchivedContact {
  readonly source: string
  readonly sender: CustomerIds
  readonly name: string | null
  readonly note: string | null
  /** An `OptOut` as JSON. */
  readonly optOut: string | null
  readonly blockedAt: string | null
  readonly blockedBy: string | null
  readonly tagIds: readonly string[]
  readonly values: readonly { readonly fieldId: string; readonly value: string }[]
}

/** The facts that an import added to a contact. */
export interface AddedToContact {
  readonly isNew: boolean
  readonly name: string | null
  readonly note: string | null
  readonly optOut: string | null
  readonly blockedAt: string | null
  readonly blockedBy: string | null
  readonly tagIds: readonly string[]
  readonly fieldIds: readonly string[]
}

/** Contacts of an archive: they fill our contacts' empty fields, and undoing the import empties these again. */
export function createArchivedContacts(parts: DirectoryParts) {
  const { clock } = parts
  return {
    /** The contact of each of these, made where it is missing; what is empty is filled. @throws APP_TOO_MANY_KEPT */
    async openContacts(
      { db, orgId }: OrgWrite,
      given: readonly ArchivedContact[],
    ): Promise<{ source: string; contactId: string; added: AddedToContact }[]> {
      const directory = await openDirectory(
        db,
        orgId,
        given.map(({ sender }) => sender),
        parts,
      )
      const named = given.map(one => {
        const contact = directory.ensure(one.sender)
        const name = contact.name === null ? one.name : null
        if (name !== null) Object.assign(contact, { name, changed: true })
        return { one, contact, name }
      })
      await requireRoomFor(db, orgId, 'contacts', directory.countNew())
      await directory.save()
      const contactIds = [...new Set(named.map(({ contact }) => contact.id))]
      const facts = new Map((await findContactFacts(db, contactIds, { orgId })).map(row => [row.id, row]))
      const tagged = Map.groupBy(await findTagged(db, contactIds, { orgId }), row => row.contact_id)
      const valued = Map.groupBy(await findValues(db, contactIds, { orgId }), row => row.contact_id)
      const seen = new Set<string>()
      const filled = named.map(({ one, contact, name }) => {
        // Twice in one archive: the first one counts.
        const isFirst = !seen.has(contact.id)
        seen.add(contact.id)
        const now = facts.get(contact.id)
        const tags = new Set((tagged.get(contact.id) ?? []).map(row => row.tag_id))
        const fields = new Set((valued.get(contact.id) ?? []).map(row => row.field_id))
        const tagIds = isFirst ? [...new Set(one.tagIds)].filter(id => !tags.has(id)) : []
        const values = isFirst ? one.values.filter(({ fieldId }) => !fields.has(fieldId)) : []
        const fill = <T>(is: unknown, value: T | null) => (isFirst && is === null ? value : null)
        const added: AddedToContact = {
          isNew: contact.isNew && isFirst,
          name,
          note: fill(now?.note, one.note),
          optOut: fill(now?.opt_out, one.optOut),
          blockedAt: fill(now?.blocked_at, one.blockedAt),
          blockedBy: fill(now?.blocked_at, one.blockedAt === null ? null : one.blockedBy),
          tagIds: tagIds.slice(0, Math.max(0, maxTagsOfContact - tags.size)),
          fieldIds: values.map(({ fieldId }) => fieldId),
        }
        return { source: one.source, contactId: contact.id, added, values }
      })
      await fillContacts(
        db,
        filled
          .filter(({ added }) => added.note ?? added.optOut ?? added.blockedAt)
          .map(({ contactId: id, added }) => ({ ...added, id, name: null })),
        { orgId },
      )
      const newTags = filled.flatMap(({ contactId, added }) => added.tagIds.map(tagId => ({ contactId, tagId })))
      await insertTagged(db, newTags, { orgId })
      const newValues = filled.flatMap(({ contactId, values }) => values.map(one => ({ ...one, contactId })))
      await saveValues(db, newValues, { orgId })
      return filled.map(({ source, contactId, added }) => ({ source, contactId, added }))
    },

    /** Removes what an import added to contacts, unless somebody changed it since. Deletes unused new contacts. */
    async closeContacts(
      { db, orgId }: OrgWrite,
      made: readonly { contactId: string; added: AddedToContact }[],
    ): Promise<void> {
      await emptyContacts(
        db,
        made.map(({ contactId: id, added }) => ({ ...added, id, name: null })),
        { orgId },
      )
      for (const { contactId, added } of made) {
        if (added.tagIds.length) await deleteTagged(db, orgId, contactId, added.tagIds)
        if (added.fieldIds.length) await removeValues(db, orgId, contactId, added.fieldIds)
        if (added.isNew) await deleteBareContact(db, orgId, contactId, added.name)
      }
      const unnamed = made.filter(({ added }) => !added.isNew && added.name !== null)
      if (!unnamed.length) return
      const anchors = unnamed.map(({ contactId }) => contactId)
      const directory = await openDirectory(db, orgId, [], parts, anchors)
      for (const { contactId, added } of unnamed) {
        const contact = directory.learn(contactId, {}, isoNow(clock))
        if (contact?.name === added.name) Object.assign(contact, { name: null, changed: true })
      }
      await directory.save()
    },
  }
}
