import { type Selectable, sql } from 'kysely'
import { scopedQuery, seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { type ShownRow, selectShown } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { ChatDraftTable, MessageTable } from '#server/messaging/table.ts'
import { belongsTo, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { draftMaxChars } from '#shared/inbox/drafts.ts'

type DraftRow = Selectable<ChatDraftTable>

/** The message that a draft replies to. */
export type QuotedRow = Pick<
  Selectable<MessageTable>,
  'id' | 'conversation_id' | 'direction' | 'type' | 'text' | 'author_kind' | 'author_name'
> & { wamid: string }

const findQuoted = lookupQuery<{ orgId: string }, QuotedRow>((db, ids, { orgId }) =>
  db
    .selectFrom('message')
    .select(['id', 'wamid', 'conversation_id', 'direction', 'type', 'text', 'author_kind', 'author_name'])
    .where(belongsTo('message.org_id', orgId))
    .where('message.id', 'in', ids)
    .where('wamid', 'is not', null)
    .where('revoked_at', 'is', null)
    .$narrowType<{ wamid: string }>(),
)

/** The messages that these drafts reply to, by id, without deleted ones and those of another conversation. */
export async function findQuotesOf(
  db: Db,
  orgId: string,
  drafts: readonly { conversationId: string; replyTo: string | null }[],
): Promise<ReadonlyMap<string, QuotedRow>> {
  const conversations = new Map(
    drafts.flatMap(one => (one.replyTo ? [[one.replyTo, one.conversationId] as const] : [])),
  )
  if (!conversations.size) return new Map()
  const rows = await findQuoted(db, [...conversations.keys()], { orgId })
  return new Map(rows.filter(row => conversations.get(row.id) === row.conversation_id).map(row => [row.id, row]))
}

type FoundRow = ShownRow & Pick<DraftRow, 'person_id' | 'text' | 'reply_to'> & { person_name: string }

const draftColumns = [
  'chat_draft.person_id',
  'chat_draft.text',
  'chat_draft.reply_to',
  'chat_draft.name as person_name',
] as const

const ofPerson = scopedQuery<{ orgId: string; personId: string; limit: number }, FoundRow>((db, p, scope) =>
  selectShown(db)
    .innerJoin('chat_draft', 'chat_draft.conversation_id', 'conversation.id')
    .select(draftColumns)
    .where('chat_draft.org_id', '=', p.orgId)
    .where('chat_draft.person_id', '=', p.personId)
    .where(belongsTo('conversation.org_id', p.orgId))
    .where(seen(scope))
    .limit(p.limit),
)

const ofOthers = scopedQuery<{ orgId: string; personId: string; limit: number }, FoundRow>((db, p, scope) =>
  selectShown(db)
    .innerJoin('chat_draft', 'chat_draft.conversation_id', 'conversation.id')
    .select(draftColumns)
    .where('chat_draft.org_id', '=', p.orgId)
    .where('chat_draft.person_id', '!=', p.personId)
    .where(belongsTo('conversation.org_id', p.orgId))
    .where(seen(scope))
    .orderBy('chat_draft.saved_at', 'desc')
    .limit(p.limit),
)

/** A person's own drafts in conversations they see. */
export const listOwnDrafts = (db: Db, viewer: Viewer, personId: string, limit: number): Promise<FoundRow[]> =>
  ofPerson(db, viewer, { personId, limit })

/** Other people's drafts in those conversations, newest first. */
export const listOthersDrafts = (db: Db, viewer: Viewer, personId: string, limit: number): Promise<FoundRow[]> =>
  ofOthers(db, viewer, { personId, limit })

/** Drafts in a conversation, newest first. */
export const listDrafts = (
  db: Db,
  orgId: string,
  { conversationId, limit }: { conversationId: string; limit: number },
): Promise<DraftRow[]> =>
  db
    .selectFrom('chat_draft')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('org_id', '=', orgId)
    .orderBy('saved_at', 'desc')
    .orderBy('person_id')
    .limit(limit)
    .execute()

export const findDraft = (
  db: Db,
  orgId: string,
  { conversationId, personId }: { conversationId: string; personId: string },
): Promise<DraftRow | undefined> =>
  db
    .selectFrom('chat_draft')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('person_id', '=', personId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()

export async function hasAsMany(
  db: Db,
  orgId: string,
  { personId, count }: { personId: string; count: number },
): Promise<boolean> {
  const rows = await db
    .selectFrom('chat_draft')
    .select('conversation_id')
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .limit(count)
    .execute()
  return rows.length >= count
}

export async function saveDraft(db: OrgDb, orgId: string, row: Omit<DraftRow, 'org_id'>): Promise<void> {
  const { name, text, reply_to, saved_at } = row
  await db
    .insertInto('chat_draft')
    .values({ ...row, org_id: orgId })
    .onConflict(conflict =>
      conflict.columns(['conversation_id', 'person_id']).doUpdateSet({ name, text, reply_to, saved_at }),
    )
    .execute()
}

/** Deletes and returns a draft. Undefined: there is none. */
export const takeDraft = (
  db: OrgDb,
  orgId: string,
  { conversationId, personId }: { conversationId: string; personId: string },
): Promise<DraftRow | undefined> =>
  db
    .deleteFrom('chat_draft')
    .where('conversation_id', '=', conversationId)
    .where('person_id', '=', personId)
    .where('org_id', '=', orgId)
    .returningAll()
    .executeTakeFirst()

/** Deletes the drafts of these conversations. */
export async function deleteDrafts(db: OrgDb, orgId: string, conversationIds: readonly string[]): Promise<void> {
  if (!conversationIds.length) return
  await db
    .deleteFrom('chat_draft')
    .where('conversation_id', 'in', conversationIds)
    .where('org_id', '=', orgId)
    .execute()
}

/** Deletes a person's drafts. Returns their conversations. */
export async function deleteDraftsOf(db: OrgDb, orgId: string, personId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('chat_draft')
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .returning('conversation_id')
    .execute()
  return rows.map(row => row.conversation_id)
}

/** Merges drafts of two merged conversations: a person who wrote in both keeps both texts, up to the limit. */
export async function mergeDrafts(
  db: OrgDb,
  orgId: string,
  { gone, kept }: { gone: string; kept: string },
): Promise<void> {
  const rows = await db
    .deleteFrom('chat_draft')
    .where('conversation_id', '=', gone)
    .where('org_id', '=', orgId)
    .returningAll()
    .execute()
  if (!rows.length) return
  await db
    .insertInto('chat_draft')
    .values(rows.map(row => ({ ...row, conversation_id: kept })))
    .onConflict(conflict =>
      conflict.columns(['conversation_id', 'person_id']).doUpdateSet({
        text: sql<string>`substr(chat_draft.text || ${'\n'} || excluded.text, 1, ${sql.lit(draftMaxChars)})`,
        reply_to: sql<string | null>`coalesce(chat_draft.reply_to, excluded.reply_to)`,
      }),
    )
    .execute()
}

/** Deletes up to `limit` drafts that were not changed since a time. Returns how many. */
export async function deleteDraftsBefore(db: Db, at: string, limit: number): Promise<number> {
  const old = db.selectFrom('chat_draft').select('conversation_id').where('saved_at', '<', at).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('chat_draft')
    .where('conversation_id', 'in', old)
    .where('saved_at', '<', at)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
