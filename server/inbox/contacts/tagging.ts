import type { Conversation } from '#shared/inbox.ts'
import type { OrgWrite } from '../../events/writes.ts'
import type { Tags } from '../../tags/tags.ts'
import { findRows, type ListRow, tagsOf } from '../conversations/list-row.ts'
import { placeOf, presentConversation } from '../present.ts'

/**
 * Puts a tag on the contact of a conversation, or takes it off, in all of that contact's conversations; what stands so
 * already changes nothing. Emits `contact.tagged` or `contact.untagged`, and `conversation.changed` for each row.
 * @throws TAGS_NOT_FOUND, TAGS_TOO_MANY_ON_CONTACT
 */
export async function setTag(
  { db, orgId, emit }: OrgWrite,
  row: ListRow,
  { tagId, isOn }: { tagId: string; isOn: boolean },
  tags: Tags,
): Promise<Conversation> {
  const contactId = row.contact_id
  const changed = await (isOn ? tags.putOn : tags.takeOff)(db, orgId, contactId, tagId)
  const shown = (await tagsOf(db, orgId, [contactId])).get(contactId)
  if (changed) {
    const data = { ...placeOf(row), tagId, label: changed.label }
    emit({ type: isOn ? 'contact.tagged' : 'contact.untagged', data })
    for (const one of await findRows.byContact(db, [contactId], { orgId }))
      emit({
        type: 'conversation.changed',
        data: { ...placeOf(one), conversation: presentConversation(one, shown) },
      })
  }
  return presentConversation(row, shown)
}
