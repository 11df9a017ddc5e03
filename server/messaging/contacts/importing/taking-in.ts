import { emitOpened } from '#server/messaging/conversations/changes/opened.ts'
import { newConversation } from '#server/messaging/conversations/conversations.ts'
import type { OwnNumber } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { saveValues } from '#server/messaging/directory/field-store.ts'
import type { Contact } from '#server/messaging/directory/known-contact.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { fold } from '#shared/kernel/fold.ts'
import { saveContactNote } from '../contact-details-store.ts'
import type { Change } from './comparing.ts'

/**
 * Applies rows of a file to contacts. A contact without a conversation gets an archived one, so that it can be found,
 * tagged and written to without appearing in the inbox. @throws APP_TOO_MANY_KEPT
 */
export async function takeIn(
  write: OrgWrite,
  rows: readonly Change[],
  { number, tags, ...parts }: DirectoryParts & { number: OwnNumber; tags: Tags },
): Promise<void> {
  const { db, orgId } = write
  const changed = rows.filter(({ outcome }) => outcome !== 'unchanged')
  if (!changed.length) return
  const at = isoNow(parts.clock)
  const senderOf = ({ wanted }: Change) => ({ waId: wanted.phone })
  const directory = await openDirectory(db, orgId, changed.map(senderOf), parts)
  const placed = changed.map((change): [Change, Contact] => {
    const contact = directory.ensure(senderOf(change))
    if (change.name !== undefined) Object.assign(contact, { name: change.name, changed: true })
    return [change, contact]
  })
  await requireRoomFor(db, orgId, 'contacts', directory.countNew())
  await directory.save()
  const unseen = placed.filter(([{ hasConversation }]) => !hasConversation)
  const opened = unseen.map(([, contact]) => ({
    contact,
    row: {
      ...newConversation({ id: parts.ids(parts.clock.now().getTime()), orgId, at, contact, number }),
      archived: 1,
    },
  }))
  await saveConversations(
    db,
    opened.map(({ row }) => row),
    { orgId },
  )
  emitOpened(write, opened)
  for (const [{ note }, { id }] of placed) if (note !== undefined) await saveContactNote(db, orgId, { id, note })
  const values = placed.flatMap(([{ fields }, contact]) =>
    fields.map(({ id, value }) => ({ contactId: contact.id, fieldId: id, value })),
  )
  if (values.length) await saveValues(db, values, { orgId })
  const byLabel = new Map((await tags.list(db, orgId)).map(tag => [fold(tag.label), tag.id]))
  const byTag = new Map<string, string[]>()
  for (const [{ tags: labels }, { id }] of placed)
    for (const label of labels) {
      // The tag was deleted since the preview.
      const tagId = byLabel.get(fold(label))
      if (tagId !== undefined) byTag.set(tagId, [...(byTag.get(tagId) ?? []), id])
    }
  for (const [tagId, contactIds] of byTag) await tags.putOn(db, orgId, contactIds, tagId)
}
