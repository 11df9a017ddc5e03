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

/** Moves these identities from one contact back to another. */
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

/** Adds these tags to a contact, if they still exist. */
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

/** A thread may have tens of thousands of messages. After this many, other work runs. */
const movedAtOnce = 200

/** Moves the messages that a merge took out of a conversation back into it. */
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

/** A message's status. Undefined: it was deleted. */
export const findStatus = async (db: Db, orgId: string, seq: number): Promise<string | undefined> =>
  (
    await db
      .selectFrom('message')
      .select('status')
      .where('seq', '=', seq)
      .where(belongsTo('message.org_id', orgId))
      .executeTakeFirst()
  )?.status
