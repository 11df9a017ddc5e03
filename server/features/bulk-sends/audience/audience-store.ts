import { belongsTo, lookupQuery, seekList } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

export interface ContactRow {
  readonly id: string
  readonly wa_id: string | null
  readonly bsuid: string | null
  readonly username: string | null
  readonly name: string | null
  readonly profile_name: string | null
  /** Null: may get marketing. */
  readonly opt_out: string | null
  /** Null: not blocked. */
  readonly blocked_at: string | null
}

export const contactColumns = [
  'contact.id',
  'contact.wa_id',
  'contact.bsuid',
  'contact.username',
  'contact.name',
  'contact.profile_name',
  'contact.opt_out',
  'contact.blocked_at',
] as const

/** Contacts with a tag and all of `also`, by id, after `after`. */
export function listTagged(
  db: Db,
  orgId: string,
  { tagId, also, after, limit }: { tagId: string; also: readonly string[]; after: string; limit: number },
): Promise<ContactRow[]> {
  let query = db
    .selectFrom('contact_tag')
    .innerJoin('contact', 'contact.id', 'contact_tag.contact_id')
    .select(contactColumns)
    .where('contact_tag.org_id', '=', orgId)
    .where('contact_tag.tag_id', '=', tagId)
    .where('contact_tag.contact_id', '>', after)
  for (const other of also)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('contact_tag as other')
          .select('other.tag_id')
          .whereRef('other.contact_id', '=', 'contact_tag.contact_id')
          .where('other.tag_id', '=', other),
      ),
    )
  return query.orderBy('contact_tag.contact_id').limit(limit).execute()
}

/** A contact with the phone key that found it. */
export type FoundContact = ContactRow & { readonly match_key: string }

export const findByPhone = lookupQuery<{ orgId: string }, FoundContact>((db, keys, { orgId }) =>
  seekList(keys, {
    few: () => db.selectFrom('contact_identity as asked').where('asked.match_key', 'in', keys),
    many: list =>
      db
        .selectFrom(list.as('key'))
        .crossJoin('contact_identity as asked')
        .whereRef('asked.match_key', '=', 'key.value'),
  })
    .innerJoin('contact', 'contact.id', 'asked.contact_id')
    .select(['asked.match_key', ...contactColumns])
    .where('asked.org_id', '=', orgId)
    .where('asked.kind', '=', 'phone'),
)

export const findTagsOfContacts = lookupQuery<{ orgId: string }, { contact_id: string; tag_id: string }>(
  (db, ids, { orgId }) =>
    db
      .selectFrom('contact_tag')
      .select(['contact_id', 'tag_id'])
      .where('contact_id', 'in', ids)
      .where(belongsTo('contact_tag.org_id', orgId)),
)

/**
 * Returns the contacts with a queued message of a recent bulk send (handed over after `handedSince`), or one sent after
 * `since`.
 */
export const findJustSent = lookupQuery<{ orgId: string; handedSince: string; since: string }, { contact_id: string }>(
  (db, ids, { orgId, handedSince, since }) =>
    db
      .selectFrom('conversation')
      .innerJoin('bulk_recipient', 'bulk_recipient.conversation_id', 'conversation.id')
      .select('conversation.contact_id')
      .distinct()
      .where('conversation.contact_id', 'in', ids)
      .where('bulk_recipient.handed_at', '>', handedSince)
      .where('bulk_recipient.state', 'in', ['queued', 'sent', 'delivered', 'read', 'replied', 'unconfirmed', 'failed'])
      .where(({ or, eb }) =>
        or([eb('bulk_recipient.state', '=', 'queued'), eb('bulk_recipient.changed_at', '>', since)]),
      )
      .where(belongsTo('bulk_recipient.org_id', orgId)),
)

/** Counts the marketing messages of bulk sends that each of these contacts had since a time. Absent: none. */
export const countMarketing = lookupQuery<{ orgId: string; since: string }, { contact_id: string; count: number }>(
  (db, ids, { orgId, since }) =>
    db
      .selectFrom('conversation')
      .innerJoin('bulk_recipient', 'bulk_recipient.conversation_id', 'conversation.id')
      .select(['conversation.contact_id', eb => eb.fn.countAll<number>().as('count')])
      .where('conversation.contact_id', 'in', ids)
      .where('bulk_recipient.marketing_at', '>', since)
      .where('bulk_recipient.state', 'in', ['queued', 'sent', 'delivered', 'read', 'replied'])
      .where(belongsTo('bulk_recipient.org_id', orgId))
      .groupBy('conversation.contact_id'),
)
