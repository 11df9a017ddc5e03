import type { OrgWrite } from '#server/platform/events/write.ts'
import { findRows, type ListRow, tagsOf } from '../conversations/list-row-store.ts'
import { placeOf, presentConversation } from '../present.ts'
import type { Tags } from '../tags/tags.ts'

/**
 * Adds a tag to the contacts of conversations or removes it, in all of their conversations. Equal states change
 * nothing. Emits `contact.tagged` or `contact.untagged` for each contact, and `conversation.changed` for each row.
 * @throws TAGS_NOT_FOUND, TAGS_TOO_MANY_ON_CONTACT
 */
export async function setTag(
  { db, orgId, emit }: OrgWrite,
  rows: readonly ListRow[],
  { tagId, isOn }: { tagId: string; isOn: boolean },
  tags: Tags,
): Promise<void> {
  const byContact = new Map(rows.map(row => [row.contact_id, row]))
  const { tag, contactIds } = await (isOn ? tags.putOn : tags.takeOff)(db, orgId, [...byContact.keys()], tagId)
  if (!contactIds.length) return
  const shown = await tagsOf(db, orgId, contactIds)
  for (const contactId of contactIds) {
    const data = { ...placeOf(byContact.get(contactId) as ListRow), tagId, label: tag.label }
    emit({ type: isOn ? 'contact.tagged' : 'contact.untagged', data })
  }
  for (const one of await findRows.byContact(db, contactIds, { orgId }))
    emit({
      type: 'conversation.changed',
      data: { ...placeOf(one), conversation: presentConversation(one, shown.get(one.contact_id)) },
    })
}
