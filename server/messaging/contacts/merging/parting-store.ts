import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import type { ContactRow, ConversationRow, Whole } from './record-store.ts'

export const insertContact = (db: OrgDb, contact: ContactRow): Promise<unknown> =>
  db.insertInto('contact').values(contact).execute()

export const changeContactRow = (
  db: OrgDb,
  orgId: string,
  id: string,
  change: Partial<Omit<ContactRow, 'id' | 'org_id'>>,
): Promise<unknown> =>
  db.updateTable('contact').set(change).where('id', '=', id).where(belongsTo('contact.org_id', orgId)).execute()

/** Gives a contact back those of these identities that another one has. */
export async function moveIdentities(
  db: OrgDb,
  orgId: string,
  { from, to, identities }: { from: string; to: string; identities: Whole['identities'] },
): Promise<void> {
  for (const { kind, match_key: key } of identities)
    await db
      .updateTable('contact_identity')
      .set({ contact_id: to })
      .where('org_id', '=', orgId)
      .where('kind', '=', kind)
      .where('match_key', '=', key)
      .where('contact_id', '=', from)
      .execute()
}

/** Puts tags on a contact, those that are still there. */
export const insertTags = (db: OrgDb, orgId: string, contactId: string, tagIds: readonly string[]): Promise<unknown> =>
  db
    .insertInto('contact_tag')
    .columns(['contact_id', 'tag_id', 'org_id'])
    .expression(eb =>
      eb
        .selectFrom('tag')
        .select([eb.val(contactId).as('contact_id'), 'id', 'org_id'])
        .where('org_id', '=', orgId)
        .where('id', 'in', tagIds),
    )
    .execute()

export const deleteTags = (db: OrgDb, orgId: string, contactId: string, tagIds: readonly string[]): Promise<unknown> =>
  db
    .deleteFrom('contact_tag')
    .where('contact_id', '=', contactId)
    .where('tag_id', 'in', tagIds)
    .where(belongsTo('contact_tag.org_id', orgId))
    .execute()

export const insertConversation = (db: OrgDb, row: ConversationRow): Promise<unknown> =>
  db.insertInto('conversation').values(row).execute()

export const changeConversationRow = (
  db: OrgDb,
  orgId: string,
  id: string,
  change: Partial<Omit<ConversationRow, 'id' | 'org_id'>>,
): Promise<unknown> =>
  db
    .updateTable('conversation')
    .set(change)
    .where('id', '=', id)
    .where(belongsTo('conversation.org_id', orgId))
    .execute()

/** A thread may have tens of thousands: after so many, others may have their turn. */
const movedAtOnce = 200

/** The messages that a merge took out of a conversation come back into it. */
export async function moveMessagesBack(
  db: OrgDb,
  orgId: string,
  { mergeId, conversationId }: { mergeId: string; conversationId: string },
  turn: LoopTurn,
): Promise<void> {
  for (let moved = movedAtOnce, before = 0; moved === movedAtOnce; before += moved) {
    const rows = await db
      .selectFrom('contact_merge_message')
      .select('message_id')
      .where('merge_id', '=', mergeId)
      .where('conversation_id', '=', conversationId)
      .where(belongsTo('contact_merge_message.org_id', orgId))
      .orderBy('message_id')
      .limit(movedAtOnce)
      .offset(before)
      .execute()
    moved = rows.length
    if (!moved) return
    await db
      .updateTable('message')
      .set({ conversation_id: conversationId })
      .where(
        'id',
        'in',
        rows.map(row => row.message_id),
      )
      .where(belongsTo('message.org_id', orgId))
      .execute()
    await turn.giveWay()
  }
}

export const moveScheduledBack = (
  db: OrgDb,
  orgId: string,
  { ids, conversationId }: { ids: readonly string[]; conversationId: string },
): Promise<unknown> =>
  db
    .updateTable('scheduled_message')
    .set({ conversation_id: conversationId })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()

/** How a message stands now; undefined: it is gone. */
export const findStatus = async (db: Db, orgId: string, seq: number): Promise<string | undefined> =>
  (
    await db
      .selectFrom('message')
      .select('status')
      .where('seq', '=', seq)
      .where(belongsTo('message.org_id', orgId))
      .executeTakeFirst()
  )?.status
