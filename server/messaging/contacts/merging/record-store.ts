import type { Selectable } from 'kysely'
import type { ContactIdentityTable, ContactTable, ConversationTable } from '#server/messaging/table.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'

export type ContactRow = Selectable<ContactTable>
export type ConversationRow = Selectable<ConversationTable>
type Identity = Pick<Selectable<ContactIdentityTable>, 'kind' | 'match_key' | 'value' | 'seen_at'>

/** A contact with everything that belongs to it. */
export interface Whole {
  readonly contact: ContactRow
  readonly identities: readonly Identity[]
  readonly tags: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly conversations: readonly ConversationRow[]
}

/** The data with which a merge can be undone. */
export interface Moved {
  readonly gone: Whole
  readonly kept: Whole
  /** The state right after the merge. */
  readonly after: Pick<Whole, 'contact' | 'conversations'>
  /** Ids of scheduled messages, by the conversation they were in. */
  readonly scheduled: Readonly<Record<string, readonly string[]>>
}

export async function readWhole(db: Db, orgId: string, contactId: string): Promise<Whole | undefined> {
  const contact = await db
    .selectFrom('contact')
    .selectAll()
    .where('id', '=', contactId)
    .where(belongsTo('contact.org_id', orgId))
    .executeTakeFirst()
  if (!contact) return undefined
  const identities = await db
    .selectFrom('contact_identity')
    .select(['kind', 'match_key', 'value', 'seen_at'])
    .where('contact_id', '=', contactId)
    .where(belongsTo('contact_identity.org_id', orgId))
    .execute()
  const tags = await db
    .selectFrom('contact_tag')
    .select('tag_id')
    .where('contact_id', '=', contactId)
    .where(belongsTo('contact_tag.org_id', orgId))
    .execute()
  const values = await db
    .selectFrom('contact_value')
    .select(['field_id', 'value'])
    .where('contact_id', '=', contactId)
    .where(belongsTo('contact_value.org_id', orgId))
    .execute()
  const conversations = await db
    .selectFrom('conversation')
    .selectAll()
    .where('contact_id', '=', contactId)
    .where(belongsTo('conversation.org_id', orgId))
    .execute()
  return {
    contact,
    identities,
    tags: tags.map(({ tag_id: id }) => id),
    values: Object.fromEntries(values.map(row => [row.field_id, row.value])),
    conversations,
  }
}

export async function listScheduledIds(db: Db, orgId: string, conversationIds: readonly string[]) {
  const rows = conversationIds.length
    ? await db
        .selectFrom('scheduled_message')
        .select(['id', 'conversation_id'])
        .where(belongsTo('scheduled_message.org_id', orgId))
        .where('conversation_id', 'in', conversationIds)
        .execute()
    : []
  const by = Map.groupBy(rows, row => row.conversation_id)
  return Object.fromEntries([...by].map(([id, some]) => [id, some.map(row => row.id)]))
}

interface MergeRecord {
  readonly id: string
  readonly contactId: string
  /** The name of the contact that was merged away. */
  readonly name: string
  readonly by: string
  readonly at: string
  readonly undoUntil: string
}

export const insertMerge = (db: OrgDb, orgId: string, record: MergeRecord): Promise<unknown> =>
  db
    .insertInto('contact_merge')
    .values({
      id: record.id,
      org_id: orgId,
      contact_id: record.contactId,
      name: record.name,
      by_name: record.by,
      merged_at: record.at,
      undo_until: record.undoUntil,
    })
    .execute()

export const saveMoved = (db: OrgDb, orgId: string, id: string, moved: Moved): Promise<unknown> =>
  db
    .updateTable('contact_merge')
    .set({ moved: JSON.stringify(moved) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()

/** A thread may have tens of thousands of messages. After this many, other work runs. */
const notedAtOnce = 200

/** Records which messages a conversation had. */
export async function insertMergeMessages(
  db: OrgDb,
  orgId: string,
  { mergeId, conversationId }: { mergeId: string; conversationId: string },
  turn: LoopTurn,
): Promise<void> {
  for (let noted = notedAtOnce, before = 0; noted === notedAtOnce; before += noted) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('contact_merge_message')
      .columns(['merge_id', 'message_id', 'org_id', 'conversation_id'])
      .expression(eb =>
        eb
          .selectFrom('message')
          .select([eb.val(mergeId).as('merge_id'), 'id', 'org_id', 'conversation_id'])
          .where('conversation_id', '=', conversationId)
          .where(belongsTo('message.org_id', orgId))
          .orderBy('at', 'desc')
          .orderBy('seq', 'desc')
          .limit(notedAtOnce)
          .offset(before),
      )
      .executeTakeFirstOrThrow()
    noted = Number(numInsertedOrUpdatedRows)
    await turn.giveWay()
  }
}

/** Merges of a contact, newest first. */
export const listMerges = async (db: Db, orgId: string, contactId: string, limit: number): Promise<MergeRecord[]> =>
  (
    await db
      .selectFrom('contact_merge')
      .select(['id', 'contact_id', 'name', 'by_name', 'merged_at', 'undo_until'])
      .where('contact_id', '=', contactId)
      .where(belongsTo('contact_merge.org_id', orgId))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  ).map(row => ({
    id: row.id,
    contactId: row.contact_id,
    name: row.name,
    by: row.by_name,
    at: row.merged_at,
    undoUntil: row.undo_until,
  }))

export async function findMerge(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ contactId: string; undoUntil: string; moved: Moved | undefined } | undefined> {
  const row = await db
    .selectFrom('contact_merge')
    .select(['contact_id', 'undo_until', 'moved'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const moved = row.moved === null ? undefined : (JSON.parse(row.moved) as Moved)
  return { contactId: row.contact_id, undoUntil: row.undo_until, moved }
}

/** Deletes its recorded messages first, in batches, because a cascade would delete them all at once. */
export async function deleteMerge(db: OrgDb, orgId: string, id: string, turn: LoopTurn): Promise<void> {
  for (let gone = notedAtOnce; gone === notedAtOnce; ) {
    const { numDeletedRows } = await db
      .deleteFrom('contact_merge_message')
      .where('merge_id', '=', id)
      .where('message_id', 'in', eb =>
        eb
          .selectFrom('contact_merge_message as noted')
          .select('noted.message_id')
          .where('noted.merge_id', '=', id)
          .where(belongsTo('noted.org_id', orgId))
          .limit(notedAtOnce),
      )
      .where(belongsTo('contact_merge_message.org_id', orgId))
      .executeTakeFirstOrThrow()
    gone = Number(numDeletedRows)
    await turn.giveWay()
  }
  await db.deleteFrom('contact_merge').where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Deletes recorded messages of merges that can no longer be undone. Returns how many. */
export async function deleteMergeMessagesBefore(db: Db, before: string, limit: number): Promise<number> {
  const some = db
    .selectFrom('contact_merge_message')
    .select(['merge_id', 'message_id'])
    .where('merge_id', 'in', db.selectFrom('contact_merge').select('id').where('undo_until', '<', before))
    .limit(limit)
  const result = await db
    .deleteFrom('contact_merge_message')
    .where(({ eb, refTuple }) => eb(refTuple('merge_id', 'message_id'), 'in', some.$asTuple('merge_id', 'message_id')))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes merges that can no longer be undone, of all organizations. Returns how many. */
export async function deleteMergesBefore(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('contact_merge')
    .where('id', 'in', eb =>
      eb.selectFrom('contact_merge').select('id').where('undo_until', '<', before).orderBy('undo_until').limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
