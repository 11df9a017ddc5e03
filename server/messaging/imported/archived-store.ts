import { sql } from 'kysely'
import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** A message of an archive, with everything that is kept of it. */
export interface ArchivedMessage {
  readonly id: string
  readonly conversationId: string
  readonly wamid: string | null
  readonly at: string
  readonly direction: string
  readonly type: string
  readonly text: string
  /** JSON */
  readonly content: string | null
  readonly status: string
  readonly sentAt: string | null
  readonly deliveredAt: string | null
  readonly readAt: string | null
  readonly failedAt: string | null
  readonly errorCode: string | null
  readonly errorDetail: string | null
  readonly replyToWamid: string | null
  readonly authorKind: string | null
  readonly authorId: string | null
  readonly authorName: string | null
  readonly editedAt: string | null
  readonly revokedAt: string | null
}

/** Inserts messages, except those whose id or wamid exists. Returns the ids of the inserted ones. */
export const insertArchived = bulkWrite<ArchivedMessage, { orgId: string; importId: string }, { id: string }>(
  (db, rows, { orgId, importId }) =>
    db
      .insertInto('message')
      .values(
        rows.map(row => ({
          id: row.id,
          org_id: orgId,
          conversation_id: row.conversationId,
          import_id: importId,
          wamid: row.wamid,
          at: row.at,
          direction: row.direction,
          type: row.type,
          text: row.text,
          content: row.content,
          status: row.status,
          sent_at: row.sentAt,
          delivered_at: row.deliveredAt,
          read_at: row.readAt,
          failed_at: row.failedAt,
          error_code: row.errorCode,
          error_detail: row.errorDetail,
          reply_to_wamid: row.replyToWamid,
          author_kind: row.authorKind,
          author_id: row.authorId,
          author_name: row.authorName,
          edited_at: row.editedAt,
          revoked_at: row.revokedAt,
        })),
      )
      .onConflict(conflict => conflict.doNothing())
      .returning('id'),
)

export const findWamids = lookupQuery<{ orgId: string }, { id: string; wamid: string }>((db, wamids, { orgId }) =>
  db
    .selectFrom('message')
    .select(['id', 'wamid'])
    .where('org_id', '=', orgId)
    .where('wamid', 'in', wamids)
    .$narrowType<{ wamid: string }>(),
)

/** Stored messages as a checksum reads them. */
export const findChecked = lookupQuery<
  { orgId: string },
  {
    id: string
    at: string
    direction: string
    text: string
    edited_at: string | null
    revoked_at: string | null
    sha256: string | null
  }
>((db, ids, { orgId }) =>
  db
    .selectFrom('message')
    .leftJoin('media', join => join.onRef('media.message_id', '=', 'message.id').on('media.state', '=', 'stored'))
    .select(['message.id', 'message.at', 'message.direction', 'message.text', 'message.edited_at'])
    .select(['message.revoked_at', 'media.sha256'])
    .where('message.id', 'in', ids)
    .where(belongsTo('message.org_id', orgId)),
)

/** A file that the source names and does not have. */
export const insertLostFiles = bulkWrite<
  { id: string; messageId: string; mime: string; name: string | null },
  { orgId: string; at: string },
  never
>(
  (db, rows, { orgId, at }) =>
    db.insertInto('media').values(
      rows.map(row => ({
        id: row.id,
        org_id: orgId,
        message_id: row.messageId,
        provider_id: '',
        mime: row.mime,
        name: row.name,
        state: 'failed' as const,
        error: 'EXPIRED',
        created_at: at,
      })),
    ) as never,
)

/** The facts that an import adds to a contact besides its identity. Null: none. */
interface ContactFacts {
  readonly id: string
  readonly name: string | null
  readonly note: string | null
  /** An `OptOut` as JSON. */
  readonly optOut: string | null
  readonly blockedAt: string | null
  readonly blockedBy: string | null
}

/** Fills what is empty, and keeps what is there. */
export const fillContacts = bulkWrite<ContactFacts, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(
    rows.map(row => sql`(${row.id}, ${row.name}, ${row.note}, ${row.optOut}, ${row.blockedAt}, ${row.blockedBy})`),
  )
  return sql<never>`update contact set name = coalesce(contact.name, v.column2), note = coalesce(contact.note, v.column3),
    opt_out = coalesce(contact.opt_out, v.column4), blocked_by = case when contact.blocked_at is null then v.column6
    else contact.blocked_by end, blocked_at = coalesce(contact.blocked_at, v.column5)
    from (values ${values}) as v where contact.id = v.column1 and ${belongsTo('contact.org_id', orgId)}`
}, 'update')

/** Empties what an import filled, where nobody changed it since. */
export const emptyContacts = bulkWrite<ContactFacts, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(
    rows.map(row => sql`(${row.id}, ${row.name}, ${row.note}, ${row.optOut}, ${row.blockedAt}, ${row.blockedBy})`),
  )
  return sql<never>`update contact set name = nullif(contact.name, v.column2), note = nullif(contact.note, v.column3),
    opt_out = nullif(contact.opt_out, v.column4), blocked_by = case when contact.blocked_at = v.column5 then null
    else contact.blocked_by end, blocked_at = nullif(contact.blocked_at, v.column5)
    from (values ${values}) as v where contact.id = v.column1 and ${belongsTo('contact.org_id', orgId)}`
}, 'update')

export const findContactFacts = lookupQuery<
  { orgId: string },
  { id: string; name: string | null; note: string | null; opt_out: string | null; blocked_at: string | null }
>((db, ids, { orgId }) =>
  db
    .selectFrom('contact')
    .select(['id', 'name', 'note', 'opt_out', 'blocked_at'])
    .where('id', 'in', ids)
    .where(belongsTo('contact.org_id', orgId)),
)

/** Tags of contacts that an import added. */
export const insertTagged = bulkWrite<{ contactId: string; tagId: string }, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .insertInto('contact_tag')
      .values(rows.map(row => ({ contact_id: row.contactId, tag_id: row.tagId, org_id: orgId })))
      .onConflict(conflict => conflict.doNothing()) as never,
)

export const deleteTagged = (
  db: OrgDb,
  orgId: string,
  contactId: string,
  tagIds: readonly string[],
): Promise<unknown> =>
  db
    .deleteFrom('contact_tag')
    .where('contact_id', '=', contactId)
    .where('tag_id', 'in', tagIds)
    .where(belongsTo('contact_tag.org_id', orgId))
    .execute()

export const findTagged = lookupQuery<{ orgId: string }, { contact_id: string; tag_id: string }>((db, ids, { orgId }) =>
  db
    .selectFrom('contact_tag')
    .select(['contact_id', 'tag_id'])
    .where('contact_id', 'in', ids)
    .where(belongsTo('contact_tag.org_id', orgId)),
)

/** Deletes a tag that no contact has and no rule names. */
export const deleteUnusedTag = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db
    .deleteFrom('tag')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('contact_tag').select('tag_id').whereRef('contact_tag.tag_id', '=', 'tag.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('content_access').select('tag_id').whereRef('content_access.tag_id', '=', 'tag.id'))),
    )
    .execute()

/** Deletes a field that no contact has a value in. */
export const deleteUnusedField = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db
    .deleteFrom('contact_field')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('contact_value').select('field_id').whereRef('contact_value.field_id', '=', 'contact_field.id'),
        ),
      ),
    )
    .execute()

/** People of the organization, to whom authors can be mapped. */
export const listPeople = (
  db: Db,
  orgId: string,
  limit: number,
): Promise<{ id: string; name: string; email: string }[]> =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.id', 'user.name', 'user.email'])
    .where('member.organizationId', '=', orgId)
    .orderBy('user.id')
    .limit(limit)
    .execute()
