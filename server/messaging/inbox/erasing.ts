import type { Viewer } from '#server/identity/visibility/scope.ts'
import { archive } from '#server/messaging/conversations/changes/flags.ts'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import { findRows, optOutOf } from '#server/messaging/conversations/rows/list-row-store.ts'
import { findBlock } from '#server/messaging/directory/blocking-store.ts'
import { findContacts } from '#server/messaging/directory/contact-store.ts'
import { deleteDrafts } from '#server/messaging/drafts/store.ts'
import { deleteScheduled } from '#server/messaging/scheduled-messages/store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'

/** The customer of a chat: names, identifiers, conversations. */
export async function findPerson(db: Db, viewer: Viewer, address: string) {
  const { orgId } = viewer
  const { contact_id: contactId } = await requireChat(db, viewer, address)
  const rows = await findContacts.byId(db, [contactId], { orgId })
  const conversations = await findRows.byContact(db, [contactId], { orgId })
  const [contact] = rows
  const identities = rows.flatMap(({ kind, match_key: key, value }) =>
    kind === null || key === null || value === null ? [] : [{ kind, key, value }],
  )
  return {
    contactId,
    conversationIds: conversations.map(({ id }) => id),
    names: [contact?.name, contact?.profile_name].filter(name => name !== null && name !== undefined),
    identities,
    optOut: contact ? optOutOf(contact) : null,
    block: await findBlock(db, orgId, contactId),
  }
}

/** Archives a contact's conversations, which ends running flows, and deletes scheduled messages and drafts. */
export async function archiveForErasure(write: OrgWrite, contactId: string): Promise<void> {
  const { db, orgId } = write
  const rows = await findRows.byContact(db, [contactId], { orgId })
  const ids = rows.map(({ id }) => id)
  await deleteScheduled(db, orgId, ids)
  await deleteDrafts(db, orgId, ids)
  await archive(write, rows, true)
}
