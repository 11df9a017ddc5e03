import { sql } from 'kysely'
import type { Identifier } from '#server/messaging/identifier.ts'
import { belongsTo, bulkWrite, lookupQuery, seekList } from '#server/platform/db/bulk.ts'

/** A contact with one of its identities. One row per identity; nulls if it has none. */
export interface KnownContact {
  id: string
  name: string | null
  profile_name: string | null
  username: string | null
  wa_id: string | null
  bsuid: string | null
  opt_out: string | null
  is_group: number
  blocked_at: string | null
  search: string
  created_at: string
  updated_at: string
  kind: Identifier['kind'] | null
  match_key: string | null
  value: string | null
  seen_at: string | null
}

const columns = [
  'contact.id',
  'contact.name',
  'contact.profile_name',
  'contact.username',
  'contact.wa_id',
  'contact.bsuid',
  'contact.opt_out',
  'contact.is_group',
  'contact.blocked_at',
  'contact.search',
  'contact.created_at',
  'contact.updated_at',
  'every.kind',
  'every.match_key',
  'every.value',
  'every.seen_at',
] as const

/** Contacts with all their identities, by keys of one kind or by ids. */
export const findContacts = {
  byKey: lookupQuery<{ orgId: string; kind: Identifier['kind'] }, KnownContact>((db, keys, { orgId, kind }) =>
    seekList(keys, {
      few: () => db.selectFrom('contact_identity as asked').where('asked.match_key', 'in', keys),
      many: list =>
        db
          .selectFrom(list.as('key'))
          .crossJoin('contact_identity as asked')
          .whereRef('asked.match_key', '=', 'key.value'),
    })
      .innerJoin('contact', 'contact.id', 'asked.contact_id')
      .innerJoin('contact_identity as every', 'every.contact_id', 'contact.id')
      .select(columns)
      .where('asked.org_id', '=', orgId)
      .where('asked.kind', '=', kind),
  ),
  byId: lookupQuery<{ orgId: string }, KnownContact>((db, ids, { orgId }) =>
    db
      .selectFrom('contact')
      .leftJoin('contact_identity as every', 'every.contact_id', 'contact.id')
      .select(columns)
      .where(belongsTo('contact.org_id', orgId))
      .where('contact.id', 'in', ids),
  ),
}

export interface ContactRow {
  id: string
  name: string | null
  profileName: string | null
  username: string | null
  waId: string | null
  bsuid: string | null
  isGroup: number
  search: string
  createdAt: string
  updatedAt: string
}

/** Inserts or overwrites contacts by id. The caller has read them in this transaction, within its organization. */
export const saveContacts = bulkWrite<ContactRow, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .insertInto('contact')
      .values(
        rows.map(row => ({
          id: row.id,
          org_id: orgId,
          name: row.name,
          profile_name: row.profileName,
          username: row.username,
          wa_id: row.waId,
          bsuid: row.bsuid,
          is_group: row.isGroup,
          search: row.search,
          created_at: row.createdAt,
          updated_at: row.updatedAt,
        })),
      )
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet(eb => ({
          name: eb.ref('excluded.name'),
          profile_name: eb.ref('excluded.profile_name'),
          username: eb.ref('excluded.username'),
          wa_id: eb.ref('excluded.wa_id'),
          bsuid: eb.ref('excluded.bsuid'),
          search: eb.ref('excluded.search'),
          updated_at: eb.ref('excluded.updated_at'),
        })),
      ) as never,
)

/** Inserts contacts of whom only a number is known. None of them may exist. */
export const insertNumberOnly = bulkWrite<
  Pick<ContactRow, 'id' | 'waId' | 'search'>,
  { orgId: string; at: string },
  never
>((_db, rows, { orgId, at }) => {
  const values = sql.join(rows.map(row => sql`(${row.id}, ${row.waId}, ${row.search})`))
  return sql<never>`insert into contact (id, org_id, wa_id, search, is_group, created_at, updated_at)
      select v.column1, alike.org_id, v.column2, v.column3, 0, alike.at, alike.at
      from (select ${orgId} as org_id, ${at} as at) as alike cross join (values ${values}) as v`
})

/** Inserts identities, or moves them to their new contact. */
export const saveIdentities = bulkWrite<Identifier & { contactId: string; seenAt: string }, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .insertInto('contact_identity')
      .values(
        rows.map(row => ({
          org_id: orgId,
          kind: row.kind,
          match_key: row.key,
          value: row.value,
          contact_id: row.contactId,
          seen_at: row.seenAt,
        })),
      )
      .onConflict(conflict =>
        conflict.columns(['org_id', 'kind', 'match_key']).doUpdateSet(eb => ({
          value: eb.ref('excluded.value'),
          contact_id: eb.ref('excluded.contact_id'),
          seen_at: eb.ref('excluded.seen_at'),
        })),
      ) as never,
)
