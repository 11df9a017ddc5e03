import type { Db } from '#server/platform/db/database.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { CustomerIds } from '#server/whatsapp/inbound.ts'
import { type ContactField, fieldValueOf, maxContactFields } from '#shared/contacts/fields.ts'
import { fold } from '#shared/kernel/fold.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { maxTags, maxTagsOfContact, tagHues } from '#shared/tags/api.ts'
import { checksumOf, inSeconds } from '../archive/checksum.ts'
import { newConversation } from '../conversations/conversations.ts'
import { listOwnNumbers } from '../conversations/number-store.ts'
import { saveConversations } from '../conversations/save-store.ts'
import { type DirectoryParts, openDirectory } from '../directory/directory.ts'
import { findValues, listFields, removeValues, saveField, saveValues } from '../directory/field-store.ts'
import { conversationOf, findRowsOf } from '../messages/inbound-messages.ts'
import { type ReactionChange, saveReactions } from '../messages/message-change-store.ts'
import { placeIn } from '../place-in.ts'
import { makeTag } from '../tags/making.ts'
import { createTags } from '../tags/tags.ts'
import {
  type ArchivedMessage,
  deleteTagged,
  deleteUnusedField,
  deleteUnusedTag,
  emptyContacts,
  fillContacts,
  findChecked,
  findContactFacts,
  findTagged,
  findWamids,
  insertArchived,
  insertLostFiles,
  insertTagged,
  listPeople,
} from './archived-store.ts'
import { type BeforeImport, lastOf } from './imported.ts'
import { deleteBareContact, findIds } from './store.ts'

export type { ArchivedMessage } from './archived-store.ts'

/** A contact of an archive, with tags and fields of the organization. */
export interface ArchivedContact {
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

/** Authors can be matched to this many members. */
const maxPeople = 500

/** Contacts, conversations and messages of an archive, as history, and how they are removed again. */
export function createArchivedImports(parts: DirectoryParts) {
  const { clock, ids } = parts
  const newId = () => ids(clock.now().getTime())
  const tags = createTags()

  return {
    listPeople: (db: Db, orgId: string) => listPeople(db, orgId, maxPeople),
    listTags: tags.list,

    /** The tag of each label; those that are missing are made while there is room. `made`: their ids. */
    async ensureTags(write: OrgWrite, wanted: readonly { label: string; hue: number }[]) {
      const known = new Map((await tags.list(write.db, write.orgId)).map(tag => [fold(tag.label), tag.id]))
      const made: { label: string; id: string }[] = []
      for (const { label: typed, hue } of wanted) {
        const label = typed.normalize('NFC').trim().replace(/\s+/g, ' ')
        if (known.has(fold(label)) || known.size >= maxTags || !isPlainName(label)) continue
        const { id } = await makeTag(write, { label, hue: Math.abs(hue) % tagHues }, { clock, ids: newId })
        known.set(fold(label), id)
        made.push({ label: typed, id })
      }
      return { tagOf: (label: string) => known.get(fold(label.normalize('NFC').trim())), made }
    },

    /** The field of each label; those that are missing are made while there is room. `made`: their ids. */
    async ensureFields({ db, orgId }: OrgWrite, wanted: readonly Omit<ContactField, 'id'>[]) {
      const known = new Map((await listFields(db, orgId, maxContactFields)).map(one => [fold(one.label), one]))
      const made: { label: string; id: string }[] = []
      for (const { label, kind, options } of wanted) {
        if (known.has(fold(label)) || known.size >= maxContactFields || !isPlainName(label)) continue
        const field = { id: newId(), label, kind, options }
        await saveField(db, orgId, field)
        known.set(fold(label), field)
        made.push({ label, id: field.id })
      }
      return {
        /** Undefined: no such field, or the value does not fit it. */
        fieldFor({ label, value }: { label: string; value: string }) {
          const field = known.get(fold(label))
          const stored = field && fieldValueOf(field, value)
          return field && stored !== undefined ? { fieldId: field.id, value: stored } : undefined
        },
        made,
      }
    },

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

    /** The conversation of each contact on a number, archived where it is new. Unknown numbers are left out. */
    async openChats(
      { db, orgId }: OrgWrite,
      given: readonly { source: string; contactId: string; connectionId: string }[],
    ): Promise<{ source: string; contactId: string; conversationId: string; before: BeforeImport }[]> {
      const numbers = new Map((await listOwnNumbers(db, orgId)).map(number => [number.id, number]))
      const contactIds = [...new Set(given.map(({ contactId }) => contactId))]
      const rows = await findRowsOf(db, orgId, contactIds)
      const at = isoNow(clock)
      const fresh = new Set<string>()
      const opened = given.flatMap(({ source, contactId, connectionId }) => {
        const number = numbers.get(connectionId)
        if (!number) return []
        const key = conversationOf({ id: contactId }, number)
        let row = rows.get(key)
        const isNewConversation = !row
        if (!row) {
          const contact = { id: contactId, name: null, profileName: null, username: null, waId: null, bsuid: null }
          const none = { optOut: null, isGroup: false, blockedAt: null }
          row = {
            ...newConversation({ id: newId(), orgId, at, number, contact: { ...contact, ...none } }),
            archived: placeIn.archived,
          }
          rows.set(key, row)
          fresh.add(key)
        }
        const before = { isNewContact: false, isNewConversation, name: null, last: lastOf(row) }
        return [{ source, contactId, conversationId: row.id, before }]
      })
      await saveConversations(
        db,
        [...fresh].flatMap(key => rows.get(key) ?? []),
        { orgId },
      )
      return opened
    },

    /** The id under which each of these messages is here already, by its id in the archive. */
    async findKnown(
      db: Db,
      orgId: string,
      messages: readonly { id: string; source: string; wamid: string | null }[],
    ): Promise<Map<string, string>> {
      const asked = messages.flatMap(({ id, source }) => [id, source])
      const here = new Set((await findIds(db, asked, { orgId })).map(({ id }) => id))
      const wamids = messages.flatMap(({ wamid }) => wamid ?? [])
      const byWamid = new Map((await findWamids(db, wamids, { orgId })).map(row => [row.wamid, row.id]))
      return new Map(
        messages.flatMap(({ id, source, wamid }) => {
          const known = here.has(id) ? id : here.has(source) ? source : wamid ? byWamid.get(wamid) : undefined
          return known === undefined ? [] : [[source, known] as const]
        }),
      )
    },

    /** Stores messages. Returns the ids of those that are new. @throws APP_TOO_MANY_KEPT */
    async store(
      { db, orgId }: OrgWrite,
      importId: string,
      { messages, reactions }: { messages: readonly ArchivedMessage[]; reactions: readonly ReactionChange[] },
    ): Promise<Set<string>> {
      await requireRoomFor(db, orgId, 'notes', messages.filter(({ type }) => type === 'note').length)
      const rows = await insertArchived(db, messages, { orgId, importId })
      const stored = new Set(rows.map(({ id }) => id))
      await saveReactions(
        db,
        reactions.filter(({ messageId }) => stored.has(messageId)),
        { orgId },
      )
      return stored
    },

    /** Files that the archive names and does not have. */
    keepLostFiles: (
      { db, orgId }: OrgWrite,
      files: readonly { messageId: string; mime: string; name: string | null }[],
    ) =>
      insertLostFiles(
        db,
        files.map(file => ({ ...file, id: newId() })),
        { orgId, at: isoNow(clock) },
      ),

    /** Checksums of stored messages, each by its id. */
    async checksumsOf(
      { db, orgId }: OrgWrite,
      messageIds: readonly string[],
      { withFiles = true, exactTimes = true }: { withFiles?: boolean; exactTimes?: boolean } = {},
    ): Promise<Map<string, bigint>> {
      const rows = await findChecked(db, messageIds, { orgId })
      return new Map(
        rows.map(({ id, at, direction, text, sha256, ...row }) => {
          const checked = {
            at,
            direction,
            text,
            sha256: withFiles ? sha256 : null,
            editedAt: row.edited_at,
            deletedAt: row.revoked_at,
          }
          return [id, checksumOf(exactTimes ? checked : inSeconds(checked))]
        }),
      )
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

    /** Deletes tags and fields that an import made and nobody uses. */
    async closeLabels({ db, orgId }: OrgWrite, { tagIds, fieldIds }: Record<'tagIds' | 'fieldIds', readonly string[]>) {
      for (const id of tagIds) await deleteUnusedTag(db, orgId, id)
      for (const id of fieldIds) await deleteUnusedField(db, orgId, id)
    },
  }
}

export type ArchivedImports = ReturnType<typeof createArchivedImports>
