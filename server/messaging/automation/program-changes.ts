import { archiveStates } from '#server/messaging/archive-states.ts'
import { type Choose, giveToTeam } from '#server/messaging/assignment/giving-out.ts'
import { setTag } from '#server/messaging/contacts/tagging.ts'
import { findRows, type ListRow, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { conversationRef, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { insertNote } from '#server/messaging/notes/new-note.ts'
import { type AssignmentChange, assign } from '#server/messaging/people/assigning.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'

/** @throws INBOX_CHAT_NOT_FOUND */
const requireRow = async ({ db, orgId }: OrgWrite, conversationId: string): Promise<ListRow> => {
  const [row] = await findRows.byId(db, [conversationId], { orgId })
  if (!row) throw inboxErrors.CHAT_NOT_FOUND()
  return row
}

/** Archives a conversation in which nothing was said yet, so that it does not appear in the inbox. */
export async function hideNew(write: OrgWrite, conversationId: string): Promise<void> {
  const row = await requireRow(write, conversationId)
  row.archived = archiveStates.archived
  await saveConversations(write.db, [row], { orgId: write.orgId })
}

/** Tags the conversation's contact. Returns the tag's label. @throws TAGS_NOT_FOUND, TAGS_TOO_MANY_ON_CONTACT */
export async function tagAsProgram(
  write: OrgWrite,
  conversationId: string,
  tagId: string,
  { tags }: { tags: Tags },
): Promise<string> {
  const row = await requireRow(write, conversationId)
  await setTag(write, [row], { tagId, isOn: true }, tags)
  const now = (await readTagsOfContacts(write.db, write.orgId, [row.contact_id])).get(row.contact_id)
  return now?.find(({ id }) => id === tagId)?.label ?? ''
}

/** Writes a note into the conversation. Returns its id. @throws APP_TOO_MANY_KEPT */
export async function noteAsProgram(
  write: OrgWrite,
  conversationId: string,
  { text, by }: { text: string; by: { readonly id: string; readonly name: string } },
  parts: { readonly clock: Clock; readonly ids: (at?: number) => string },
): Promise<string> {
  const row = await requireRow(write, conversationId)
  await requireRoomFor(write.db, write.orgId, 'notes', 1)
  const { id } = await insertNote(write, row, { text, author: { kind: 'api', id: by.id, name: by.name } }, parts)
  return id
}

/**
 * Assigns the conversation to a person, a team or both. Returns their names. @throws INBOX_ASSIGNEE_NOT_FOUND,
 * INBOX_TEAM_NOT_FOUND
 */
export async function assignAsProgram(
  write: OrgWrite,
  conversationId: string,
  { userId, teamId }: Pick<AssignmentChange, 'userId' | 'teamId'>,
  { choosing }: { choosing: Choose },
): Promise<string> {
  const { db, orgId, emit } = write
  const row = await requireRow(write, conversationId)
  const change = { ...(userId ? { userId } : {}), ...(teamId ? { teamId } : {}) }
  const [assigned = row] = await giveToTeam(write, [await assign(write, row, change)], change, choosing)
  if (assigned !== row) {
    const tags = await readTagsOfContacts(db, orgId, [row.contact_id])
    const conversation = presentConversation(assigned, tags.get(row.contact_id))
    emit({ type: 'conversation.changed', data: { ...conversationRef(row), conversation } })
  }
  return [assigned.team_name, assigned.assignee_name].filter(Boolean).join(' · ')
}
