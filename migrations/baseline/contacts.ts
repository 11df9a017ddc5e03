import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Contacts with what the organization knows of them, imports, merges, opt-outs and erasures. */
export async function createContacts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text')
    .addColumn('profile_name', 'text')
    .addColumn('username', 'text')
    .addColumn('wa_id', 'text')
    .addColumn('bsuid', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    // All names and numbers, folded.
    .addColumn('search', 'text', c => c.notNull().defaultTo(''))
    // When, how and why as JSON; null: wants marketing.
    .addColumn('opt_out', 'text')
    .addColumn('note', 'text')
    .addColumn('blocked_at', 'text')
    .addColumn('blocked_by', 'text')
    // The name in the phone's address book, or what a group calls itself.
    .addColumn('outside_name', 'text')
    .addColumn('outside_name_at', 'text')
    .addColumn('is_group', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await runAll(db, [
    `create index "contact_org" on "contact" ("org_id", "created_at")`,
    `create index "contact_list" on "contact" ("org_id", "id")`,
    `create index "contact_opted_out" on "contact" ("org_id", "id") where "opt_out" is not null`,
  ])

  // kind: phone, bsuid or username. `match_key` folds the spellings of a number; `value` is the spelling that was seen.
  await db.schema
    .createTable('contact_identity')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('match_key', 'text', c => c.notNull())
    .addColumn('value', 'text', c => c.notNull())
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('seen_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('contact_identity_pk', ['org_id', 'kind', 'match_key'])
    .execute()
  await runAll(db, [`create index "contact_identity_contact" on "contact_identity" ("contact_id")`])

  await db.schema
    .createTable('tag')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('hue', 'integer', c => c.notNull().defaultTo(0))
    .addUniqueConstraint('tag_label', ['org_id', 'label'])
    .execute()

  await db.schema
    .createTable('contact_tag')
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('tag_id', 'text', c => c.notNull().references('tag.id').onDelete('cascade'))
    .addColumn('org_id', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('contact_tag_pk', ['contact_id', 'tag_id'])
    .execute()
  await runAll(db, [`create index "contact_tag_tag" on "contact_tag" ("org_id", "tag_id", "contact_id")`])

  await db.schema
    .createTable('contact_field')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('options', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "contact_field_org" on "contact_field" ("org_id", "id")`])

  await db.schema
    .createTable('contact_value')
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('field_id', 'text', c => c.notNull())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('value', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('contact_value_pk', ['contact_id', 'field_id'])
    .execute()
  await runAll(db, [`create index "contact_value_field" on "contact_value" ("org_id", "field_id")`])

  await db.schema
    .createTable('contact_import')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('file', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('request', 'text')
    .addColumn('row_count', 'integer', c => c.notNull())
    .addColumn('place', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('done', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('created', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('updated', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('unchanged', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('refused', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('faults', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('announced_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await runAll(db, [`create index "contact_import_org" on "contact_import" ("org_id", "id")`])

  // Contacts that a person merged, with what moved, for as long as the merge can be undone.
  await db.schema
    .createTable('contact_merge')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('by_name', 'text', c => c.notNull())
    .addColumn('merged_at', 'text', c => c.notNull())
    .addColumn('undo_until', 'text', c => c.notNull())
    .addColumn('moved', 'text')
    .execute()
  await runAll(db, [
    `create index "contact_merge_contact" on "contact_merge" ("contact_id", "id")`,
    `create index "contact_merge_org" on "contact_merge" ("org_id", "id")`,
    `create index "contact_merge_over" on "contact_merge" ("undo_until")`,
  ])

  await db.schema
    .createTable('contact_merge_message')
    .addColumn('merge_id', 'text', c => c.notNull().references('contact_merge.id').onDelete('cascade'))
    .addColumn('message_id', 'text', c => c.notNull())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('conversation_id', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('contact_merge_message_pk', ['merge_id', 'message_id'])
    .execute()
  await runAll(db, [`create index "contact_merge_message_org" on "contact_merge_message" ("org_id")`])

  // Contacts that the organization wrote to first; Meta limits how many these are per day.
  await db.schema
    .createTable('opened_person')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('contact_id', 'text', c => c.primaryKey().references('contact.id').onDelete('cascade'))
    .addColumn('opened_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "opened_person_lately" on "opened_person" ("org_id", "opened_at")`])

  await db.schema
    .createTable('opt_out_settings')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('stop_words', 'text', c => c.notNull())
    .addColumn('resume_words', 'text', c => c.notNull())
    .addColumn('confirms', 'integer', c => c.notNull())
    .addColumn('stop_text', 'text')
    .addColumn('resume_text', 'text')
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()

  // Contacts erased at their request. `number_hash`: a keyed hash in the place of the number.
  await db.schema
    .createTable('erasure')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('reason', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('requested_at', 'text', c => c.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('number_hash', 'text', c => c.notNull())
    .addColumn('contact_id', 'text')
    .addColumn('target', 'text')
    .addColumn('step', 'integer', c => c.notNull())
    .addColumn('place', 'text', c => c.notNull())
    .addColumn('messages', 'integer', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "erasure_org" on "erasure" ("org_id", "id")`,
    `create index "erasure_number" on "erasure" ("org_id", "number_hash")`,
  ])

  // Erased contacts that had opted out, by the hash of their number.
  await db.schema
    .createTable('opt_out_mark')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('hash', 'text', c => c.notNull())
    .addColumn('erasure_id', 'text', c => c.notNull().references('erasure.id').onDelete('cascade'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('source', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('opt_out_mark_pk', ['org_id', 'hash'])
    .execute()
  await runAll(db, [`create index "opt_out_mark_erasure" on "opt_out_mark" ("erasure_id")`])

  // Erased contacts that were blocked, by the hash of their number: if they come back, they come back blocked.
  await db.schema
    .createTable('block_mark')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('hash', 'text', c => c.notNull())
    .addColumn('erasure_id', 'text', c => c.notNull().references('erasure.id').onDelete('cascade'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('blocked_by', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('block_mark_pk', ['org_id', 'hash'])
    .execute()
  await runAll(db, [`create index "block_mark_erasure" on "block_mark" ("erasure_id")`])

  // Which roles see conversations of contacts with which tags.
  await db.schema
    .createTable('content_access')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('tag_id', 'text', c => c.notNull().references('tag.id').onDelete('cascade'))
    .addColumn('granted_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('content_access_pk', ['org_id', 'role', 'tag_id'])
    .execute()
  await runAll(db, [`create index "content_access_tag" on "content_access" ("tag_id")`])

  await db.schema
    .createTable('content_access_setting')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('conversations', 'integer', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .addColumn('teams', 'integer', c => c.notNull().defaultTo(0))
    .execute()
}
