import { ensureOutsideNumber } from '#server/identity/numbers/outside-number.ts'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { newConversation } from '#server/messaging/conversations/conversations.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { conversationOf, findRowsOf } from '#server/messaging/messages/inbound/messages.ts'
import { cancelAnswered } from '#server/messaging/scheduled-messages/changes.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { findMirrored, saveOutsideUnread } from './mirrored-store.ts'
import { differs, isAnswered, matchKeyOf, type Reported, reportedRow, saysUnread } from './reported.ts'

/** Stores what is new of these conversations. Returns the rows that changed. */
export async function storeReports(
  write: OrgWrite,
  conversations: readonly Reported[],
  parts: DirectoryParts,
): Promise<ListRow[]> {
  const { db, orgId } = write
  const at = isoNow(parts.clock)
  const makeId = () => parts.ids(parts.clock.now().getTime())
  const number = {
    id: await ensureOutsideNumber(db, orgId, { id: makeId(), at }),
    kind: 'cloud' as const,
    shownPhone: null,
  }
  const senders = conversations.map(({ phone, name }) => ({ waId: phone, profileName: name }))
  const directory = await openDirectory(db, orgId, senders, parts)
  const contacts = senders.map((sender, i) => directory.recordSender(sender, conversations[i]?.lastMessage?.at ?? at))
  await requireRoomFor(db, orgId, 'contacts', directory.countNew())
  await directory.save()
  const known = await findRowsOf(
    db,
    orgId,
    contacts.map(contact => contact.id),
  )
  const mirrored = await findMirrored(
    db,
    { orgId, scope: seesAll },
    conversations.map(({ phone }) => matchKeyOf(phone)),
  )
  const knownUnread = new Map(mirrored.map(row => [row.id, row.outside_unread]))
  const counted = new Map<string, number>()
  const changed = new Map<string, ListRow>()
  const answered: string[] = []
  for (const [i, reported] of conversations.entries()) {
    const contact = contacts[i] as (typeof contacts)[number]
    const key = conversationOf(contact, number)
    const before = changed.get(key) ?? known.get(key)
    const row = before ?? newConversation({ id: makeId(), orgId, at, contact, number })
    const unreadBefore = counted.get(row.id) ?? knownUnread.get(row.id) ?? null
    const after = reportedRow(row, unreadBefore, reported)
    if (saysUnread(reported) && reported.unread !== unreadBefore) counted.set(row.id, reported.unread)
    if (!before || differs(before, after)) changed.set(key, after)
    if (before && isAnswered(before, after)) answered.push(after.id)
  }
  const rows = [...changed.values()]
  if (rows.length) await saveConversations(db, rows, { orgId })
  await saveOutsideUnread(
    db,
    [...counted].map(([id, unread]) => ({ id, unread })),
    { orgId },
  )
  await cancelAnswered(write, answered)
  return rows
}
