import { findRows, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { removeOptOuts, saveOptOuts } from '#server/messaging/directory/opt-out-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { CustomerIds } from '#server/whatsapp/webhooks/inbound.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'

/** Emits the change of each contact, and its conversations' rows. */
const announce = async (write: OrgWrite, contactIds: readonly string[], optOut: OptOut | null): Promise<void> => {
  const { db, orgId, by, emit } = write
  if (!contactIds.length) return
  const rows = await findRows.byContact(db, contactIds, { orgId })
  const tags = await readTagsOfContacts(db, orgId, contactIds)
  for (const contactId of contactIds) {
    const own = rows.filter(row => row.contact_id === contactId)
    const change = { contactId, conversationId: null, ...(own[0] ? conversationRef(own[0]) : {}), by }
    emit(
      optOut
        ? { type: 'contact.optedOut', data: { ...change, optOut } }
        : { type: 'contact.optedIn', data: { ...change } },
    )
    for (const row of own)
      emit({
        type: 'conversation.changed',
        data: { ...conversationRef(row), conversation: presentConversation(row, tags.get(contactId)) },
      })
  }
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
const rowsOf = (contactIds: readonly string[]) => [...new Set(contactIds)].map(contactId => ({ contactId }))

/**
 * Opts contacts out of marketing. Earlier opt-outs stay unchanged. Returns those that changed. Emits `contact.optedOut`
 * for each, and `conversation.changed` for each of their rows.
 */
export async function optOutContacts(
  write: OrgWrite,
  contactIds: readonly string[],
  optOut: OptOut,
): Promise<readonly string[]> {
  const common = { orgId: write.orgId, optOut: JSON.stringify(optOut) }
  const changed = idsOf(await saveOptOuts(write.db, rowsOf(contactIds), common))
  await announce(write, changed, optOut)
  return changed
}

/** Removes opt-outs. Emits `contact.optedIn` for each. @see optOutContacts */
export async function optInContacts(write: OrgWrite, contactIds: readonly string[]): Promise<readonly string[]> {
  const changed = idsOf(await removeOptOuts(write.db, rowsOf(contactIds), { orgId: write.orgId }))
  await announce(write, changed, null)
  return changed
}

/** The contact ids of these customers, in order. Missing contacts are created. */
export async function resolveContactIds(
  { db, orgId }: OrgWrite,
  senders: readonly CustomerIds[],
  parts: DirectoryParts,
): Promise<string[]> {
  const directory = await openDirectory(db, orgId, senders, parts)
  const contacts = senders.map(sender => directory.ensure(sender))
  await directory.save()
  return contacts.map(({ id }) => id)
}
