import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** A message from another program. */
export interface ImportedMessage {
  readonly id: string
  readonly at: string
  readonly direction: 'in' | 'out' | 'internal'
  readonly type: string
  readonly text: string
  /** JSON */
  readonly content: string | null
  readonly status: string
  readonly authorKind: string | null
  readonly authorName: string | null
  readonly editedAt: string | null
  readonly revokedAt: string | null
}

/** Inserts messages, except those whose id exists. Returns id and seq of the inserted ones. */
export const insertImported = bulkWrite<
  ImportedMessage,
  { orgId: string; importId: string; conversationId: string },
  { id: string; seq: number }
>((db, rows, { orgId, importId, conversationId }) =>
  db
    .insertInto('message')
    .values(
      rows.map(row => ({
        id: row.id,
        org_id: orgId,
        conversation_id: conversationId,
        import_id: importId,
        at: row.at,
        direction: row.direction,
        type: row.type,
        text: row.text,
        content: row.content,
        status: row.status,
        author_kind: row.authorKind,
        author_name: row.authorName,
        edited_at: row.editedAt,
        revoked_at: row.revokedAt,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning(['id', 'seq']),
)

/** Returns the ids that exist. */
export const findIds = lookupQuery<{ orgId: string }, { id: string }>((db, ids, { orgId }) =>
  db.selectFrom('message').select('id').where('id', 'in', ids).where(belongsTo('message.org_id', orgId)),
)

/** Messages of a conversation within a time, that were not imported. */
export const listBetween = (
  db: Db,
  orgId: string,
  { conversationId, from, to, limit }: { conversationId: string; from: string; to: string; limit: number },
): Promise<{ at: string; direction: string; text: string; type: string }[]> =>
  db
    .selectFrom('message')
    .select(['at', 'direction', 'text', 'type'])
    .where('conversation_id', '=', conversationId)
    .where(belongsTo('message.org_id', orgId))
    .where('at', '>=', from)
    .where('at', '<=', to)
    .where('import_id', 'is', null)
    .orderBy('at')
    .limit(limit)
    .execute()

interface ImportedRow {
  readonly id: string
  readonly seq: number
  readonly conversation_id: string
  readonly path: string | null
}

/** Messages of an import, the newest arrival first, with their files. */
export const listOfImport = (db: Db, orgId: string, importId: string, limit: number): Promise<ImportedRow[]> =>
  db
    .selectFrom('message')
    .leftJoin('media', 'media.message_id', 'message.id')
    .select(['message.id', 'message.seq', 'message.conversation_id', 'media.path'])
    .where('message.import_id', '=', importId)
    .where(belongsTo('message.org_id', orgId))
    .orderBy('message.seq', 'desc')
    .limit(limit)
    .execute()

/** The first or the last message that an import added to a conversation. */
export const findEndOf = (
  db: Db,
  orgId: string,
  { importId, conversationId }: { importId: string; conversationId: string },
  order: 'asc' | 'desc',
) =>
  db
    .selectFrom('message')
    .select(['seq', 'at', 'text', 'type', 'content', 'direction', 'status'])
    .where('conversation_id', '=', conversationId)
    .where(belongsTo('message.org_id', orgId))
    .where('import_id', '=', importId)
    .where('type', '<>', 'activity')
    .orderBy('at', order)
    .orderBy('seq', order)
    .limit(1)
    .executeTakeFirst()

/** A contact that an import created is known since its first message. */
export const saveKnownSince = (db: OrgDb, orgId: string, contactId: string, at: string): Promise<unknown> =>
  db
    .updateTable('contact')
    .set({ created_at: at })
    .where('id', '=', contactId)
    .where(belongsTo('contact.org_id', orgId))
    .where('created_at', '>', at)
    .execute()

export const deleteImported = async (db: OrgDb, orgId: string, ids: readonly string[]): Promise<number> => {
  const result = await db
    .deleteFrom('message')
    .where('id', 'in', ids)
    .where(belongsTo('message.org_id', orgId))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** `seq` is that of the message that the list shows of a conversation, which may have been deleted since. */
export async function hasMessage(db: Db, orgId: string, seq: number): Promise<boolean> {
  const row = await db
    .selectFrom('message')
    .select('seq')
    .where('seq', '=', seq)
    .where(belongsTo('message.org_id', orgId))
    .executeTakeFirst()
  return row !== undefined
}

/** Notes and lines of what the team did count, too. */
export async function hasAnyMessage(db: Db, orgId: string, conversationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('message')
    .select('seq')
    .where('conversation_id', '=', conversationId)
    .where(belongsTo('message.org_id', orgId))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Columns that the list shows of a conversation's last message. */
export const lastColumns = [
  'last_activity_at',
  'last_message_seq',
  'last_message_at',
  'last_message_text',
  'last_message_type',
  'last_message_direction',
  'last_message_status',
] as const

export const saveLast = (
  db: OrgDb,
  orgId: string,
  id: string,
  last: Readonly<Record<(typeof lastColumns)[number], string | number | null>>,
): Promise<unknown> =>
  db
    .updateTable('conversation')
    .set(last as never)
    .where('id', '=', id)
    .where(belongsTo('conversation.org_id', orgId))
    .execute()

export const deleteConversation = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db.deleteFrom('conversation').where('id', '=', id).where(belongsTo('conversation.org_id', orgId)).execute()

/** Deletes a contact of whom nothing is known but a number and the name that the import gave. */
export async function deleteBareContact(db: OrgDb, orgId: string, id: string, name: string | null): Promise<void> {
  await db
    .deleteFrom('contact')
    .where('id', '=', id)
    .where(belongsTo('contact.org_id', orgId))
    .where('name', name === null ? 'is' : '=', name)
    .where('note', 'is', null)
    .where('opt_out', 'is', null)
    .where('blocked_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('conversation').select('id').whereRef('conversation.contact_id', '=', 'contact.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('contact_tag').select('tag_id').whereRef('contact_tag.contact_id', '=', 'contact.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('contact_value').select('field_id').whereRef('contact_value.contact_id', '=', 'contact.id')),
      ),
    )
    .execute()
}
