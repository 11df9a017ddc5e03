import { sql } from 'kysely'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** Ids of contacts after `after`, in order. */
const contactsAfter = (db: Db, orgId: string, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('contact')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

interface ConversationPage {
  readonly ids: readonly string[]
  /** Pass it as `after` for the next page. Undefined: this is the last page. */
  readonly next: string | undefined
}

/** Ids of conversations, in pages of `limit` contacts. */
export async function listConversationPage(
  db: Db,
  orgId: string,
  page: { after: string; limit: number },
): Promise<ConversationPage> {
  const contacts = await contactsAfter(db, orgId, page)
  if (!contacts.length) return { ids: [], next: undefined }
  const rows = await db
    .selectFrom('conversation')
    .select('id')
    .where(belongsTo('conversation.org_id', orgId))
    .where(
      'contact_id',
      'in',
      contacts.map(({ id }) => id),
    )
    .execute()
  return { ids: rows.map(({ id }) => id), next: contacts.length < page.limit ? undefined : contacts.at(-1)?.id }
}

interface OldPage {
  readonly conversationIds: readonly string[]
  readonly before: string
  readonly limit: number
}

export const selectOldMessages = (db: Db, orgId: string, { conversationIds, before, limit }: OldPage) =>
  db
    .selectFrom('message')
    .leftJoin('media', 'media.message_id', 'message.id')
    .select(['message.id', 'media.path', 'media.size'])
    .where('message.conversation_id', 'in', conversationIds)
    .where('message.at', '<', before)
    .where('message.status', '<>', 'queued')
    .where(belongsTo('message.org_id', orgId))
    .limit(limit)

/** Messages of these conversations before a time, with their files, except queued messages. */
export const listOldMessages = (db: Db, orgId: string, page: OldPage) => selectOldMessages(db, orgId, page).execute()

/** Deletes messages with their reactions, attempts and media rows. Returns the number of messages. */
export async function deleteMessages(db: OrgDb, orgId: string, ids: readonly string[]): Promise<number> {
  const result = await db
    .deleteFrom('message')
    .where('id', 'in', ids)
    .where(belongsTo('message.org_id', orgId))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Returns the conversations without a message left whose list row still shows a message from before `before`. */
export async function listEmptied(
  db: Db,
  orgId: string,
  { conversationIds, before }: { conversationIds: readonly string[]; before: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('conversation')
    .select('id')
    .where('id', 'in', conversationIds)
    .where(belongsTo('conversation.org_id', orgId))
    .where('last_message_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('message')
            .select(sql.lit(1).as('one'))
            .whereRef('message.conversation_id', '=', 'conversation.id'),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Removes the last message and the unread count from the list rows of these conversations. */
export async function clearLastMessages(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('conversation')
    .set({
      unread: 0,
      last_message_seq: null,
      last_message_at: null,
      last_message_text: null,
      last_message_type: null,
      last_message_direction: null,
      last_message_status: null,
      last_inbound_wamid: null,
    })
    .where('id', 'in', ids)
    .where(belongsTo('conversation.org_id', orgId))
    .execute()
}
