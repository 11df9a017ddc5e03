import { findRows, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Free, saveFree } from './free-entry-store.ts'

/** Stores until when messages are free, because the customer came by an advertisement. Emits `conversation.changed`. */
export async function noteFree(write: OrgWrite, spans: readonly Free[]): Promise<void> {
  if (!spans.length) return
  const latest = new Map<string, Free>()
  for (const one of spans) {
    const known = latest.get(one.conversationId)
    if (!known || known.freeUntil < one.freeUntil) latest.set(one.conversationId, one)
  }
  const { db, orgId, emit } = write
  const changed = await saveFree(db, [...latest.values()], { orgId })
  if (!changed.length) return
  const ids = changed.map(({ id }) => id)
  const rows = await findRows.byId(db, ids, { orgId })
  const contactIds = rows.map(row => row.contact_id)
  const tags = await readTagsOfContacts(db, orgId, contactIds)
  for (const row of rows) {
    const conversation = presentConversation(row, tags.get(row.contact_id))
    emit({ type: 'conversation.changed', data: { ...conversationRef(row), conversation } })
  }
}
