import type { Selectable } from 'kysely'
import { isOf } from '../../bulk.ts'
import type { OrgDb, OrgWrite } from '../../events/writes.ts'
import { followMerge } from '../../outbox/order.ts'
import { findRows, tagsOf } from '../conversations/list-row.ts'
import { moreUrgent } from '../people/control.ts'
import { placeOf, presentConversation } from '../present.ts'
import type { ConversationTable as ConversationColumns } from '../table.ts'
import type { Merge } from './contacts.ts'

type ConversationTable = Selectable<ConversationColumns>

/** Two threads that became one: ids of the conversation that is no more, of its contact, and of the one that holds both. */
export interface Merged {
  gone: string
  goneContact: string
  kept: string
}

const later = (a: string | null, b: string | null) => (b === null || (a !== null && a >= b) ? a : b)

const isLater = (a: ConversationTable, b: ConversationTable): boolean => {
  if (a.last_message_at === null || b.last_message_at === null) return a.last_message_at !== null
  if (a.last_message_at !== b.last_message_at) return a.last_message_at > b.last_message_at
  return (a.last_message_seq ?? 0) > (b.last_message_seq ?? 0)
}

/** What the list shows of two threads read as one. */
const united = (into: ConversationTable, from: ConversationTable): Partial<ConversationTable> => {
  const last = isLater(from, into) ? from : into
  const windowClosesAt = later(into.window_closes_at, from.window_closes_at)
  return {
    control: moreUrgent(into.control, from.control),
    assignee_id: into.assignee_id ?? from.assignee_id,
    team_id: into.team_id ?? from.team_id,
    archived: into.archived && from.archived,
    unread: into.unread + from.unread,
    window_closes_at: windowClosesAt,
    last_activity_at: later(into.last_activity_at, from.last_activity_at) as string,
    last_message_seq: last.last_message_seq,
    last_message_at: last.last_message_at,
    last_message_text: last.last_message_text,
    last_message_type: last.last_message_type,
    last_message_direction: last.last_message_direction,
    last_message_status: last.last_message_status,
    last_inbound_wamid: (windowClosesAt === into.window_closes_at ? into : from).last_inbound_wamid,
  }
}

/**
 * Moves everything of one contact to another and deletes it: messages, what waits to be sent, tags, identities. Rare,
 * so it takes a handful of statements a pair. Conversations become one
 * where both had one on the same number. Answers those that are no more.
 */
async function mergeContacts(db: OrgDb, orgId: string, merge: { loser: string; winner: string }): Promise<Merged[]> {
  const { loser, winner } = merge
  const found = await db
    .selectFrom('conversation')
    .selectAll()
    .where(isOf('conversation.org_id', orgId))
    .where('contact_id', 'in', [loser, winner])
    .execute()
  const merged: Merged[] = []
  for (const from of found.filter(row => row.contact_id === loser)) {
    const into = found.find(row => row.contact_id === winner && row.connection_id === from.connection_id)
    if (!into) continue
    merged.push({ gone: from.id, goneContact: loser, kept: into.id })
    await db
      .updateTable('message')
      .set({ conversation_id: into.id })
      .where(isOf('message.org_id', orgId))
      .where('conversation_id', '=', from.id)
      .execute()
    await followMerge(db, orgId, { gone: from.id, kept: into.id })
    await db
      .updateTable('conversation')
      .set(united(into, from))
      .where(isOf('conversation.org_id', orgId))
      .where('id', '=', into.id)
      .execute()
    await db.deleteFrom('conversation').where(isOf('conversation.org_id', orgId)).where('id', '=', from.id).execute()
  }
  await db
    .updateTable('conversation')
    .set({ contact_id: winner })
    .where(isOf('conversation.org_id', orgId))
    .where('contact_id', '=', loser)
    .execute()
  await db
    .insertInto('contact_tag')
    .columns(['contact_id', 'tag_id', 'org_id'])
    .expression(eb =>
      eb
        .selectFrom('contact_tag')
        .select([eb.val(winner).as('contact_id'), 'tag_id', 'org_id'])
        .where(isOf('contact_tag.org_id', orgId))
        .where('contact_id', '=', loser),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await db
    .updateTable('contact_identity')
    .set({ contact_id: winner })
    .where(isOf('contact_identity.org_id', orgId))
    .where('contact_id', '=', loser)
    .execute()
  await db.deleteFrom('contact').where(isOf('contact.org_id', orgId)).where('id', '=', loser).execute()
  return merged
}

/** Makes one contact of each pair, in order. Answers the threads that became one. */
export async function runMerges(db: OrgDb, orgId: string, merges: readonly Merge[]): Promise<Merged[]> {
  const merged: Merged[] = []
  for (const merge of merges) merged.push(...(await mergeContacts(db, orgId, merge)))
  return merged
}

/** Says which rows hold two threads now, and which are gone; to be asked once everything is saved. */
export async function emitMerges({ db, orgId, emit }: OrgWrite, merged: readonly Merged[]): Promise<void> {
  if (!merged.length) return
  const kept = merged.map(pair => pair.kept)
  const rows = new Map((await findRows.byId(db, kept, { orgId })).map(row => [row.id, row]))
  const tags = await tagsOf(
    db,
    orgId,
    [...rows.values()].map(row => row.contact_id),
  )
  for (const { gone, goneContact, kept: id } of merged) {
    const row = rows.get(id)
    if (!row) continue
    const conversation = presentConversation(row, tags.get(row.contact_id))
    const data = { ...placeOf(row), mergedContactId: goneContact, mergedConversationId: gone, conversation }
    emit({ type: 'contact.merged', data })
  }
}
