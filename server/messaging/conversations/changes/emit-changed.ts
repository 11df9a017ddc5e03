import type { OrgWrite } from '#server/platform/events/write.ts'
import { type ListRow, readTagsOfContacts } from '../rows/list-row-store.ts'
import { conversationRef, presentConversation } from '../shown/present.ts'

/** Emits that these conversations changed, as `rows` say; with `contact.parted`, because their contact was parted. */
export async function emitChanged(
  { db, orgId, emit }: OrgWrite,
  rows: readonly ListRow[],
  type: 'conversation.changed' | 'contact.parted' = 'conversation.changed',
): Promise<void> {
  const tags = await readTagsOfContacts(
    db,
    orgId,
    rows.map(row => row.contact_id),
  )
  for (const row of rows)
    emit({
      type,
      data: { ...conversationRef(row), conversation: presentConversation(row, tags.get(row.contact_id)) },
    })
}
