import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'

/**
 * Adds a tag to the contacts of conversations or removes it, in all of their conversations. Equal states change
 * nothing. Emits `contact.tagged` or `contact.untagged` for each contact, and `conversation.changed` for each row.
 * @throws TAGS_NOT_FOUND, TAGS_TOO_MANY_ON_CONTACT
 */
export async function setTag(
  write: OrgWrite,
  rows: readonly ListRow[],
  { tagId, isOn }: { tagId: string; isOn: boolean },
  tags: Tags,
): Promise<void> {
  const { db, orgId, emit } = write
  const byContact = new Map(rows.map(row => [row.contact_id, row]))
  const { tag, contactIds } = await (isOn ? tags.putOn : tags.takeOff)(db, orgId, [...byContact.keys()], tagId)
  if (!contactIds.length) return
  for (const contactId of contactIds) {
    const data = { ...conversationRef(byContact.get(contactId) as ListRow), tagId, label: tag.label }
    emit({ type: isOn ? 'contact.tagged' : 'contact.untagged', data })
  }
  await emitChanged(write, await findRows.byContact(db, contactIds, { orgId }))
}
