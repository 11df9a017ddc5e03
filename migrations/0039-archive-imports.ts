import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/** The chats of an import with their checksums, and what an import made or changed besides messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chat_import_chat')
    .addColumn('import_id', 'text', c => c.notNull().references('chat_import.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    // Its id in the source.
    .addColumn('source', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('found', 'integer', c => c.notNull())
    .addColumn('found_sum', 'text', c => c.notNull())
    .addColumn('kept', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('kept_sum', 'text', c => c.notNull().defaultTo('0000000000000000'))
    // Messages that this import brought.
    .addColumn('brought', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('conversation_id', 'text')
    .addColumn('contact_id', 'text')
    // JSON: what the import made new, and what the list showed before.
    .addColumn('before', 'text')
    .addPrimaryKeyConstraint('chat_import_chat_pk', ['import_id', 'source'])
    .execute()
  await db.schema
    .createTable('chat_import_made')
    .addColumn('import_id', 'text', c => c.notNull().references('chat_import.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('kind', 'text', c => c.notNull())
    // Its id or label in the source.
    .addColumn('source', 'text', c => c.notNull())
    .addColumn('target', 'text', c => c.notNull())
    // JSON: what the import added to it.
    .addColumn('added', 'text')
    .addPrimaryKeyConstraint('chat_import_made_pk', ['import_id', 'kind', 'source'])
    .execute()
  await runAll(db, [
    // Imports of an earlier version have one chat, whose messages were not counted.
    `insert into chat_import_chat (import_id, org_id, source, name, found, found_sum, conversation_id, contact_id, before)
      select id, org_id, 'chat', '', 0, '0000000000000000', conversation_id, contact_id, before from chat_import
      where conversation_id is not null`,
    `create index chat_import_chat_org on chat_import_chat (org_id)`,
    `create index chat_import_chat_contact on chat_import_chat (contact_id) where contact_id is not null`,
    `create index chat_import_made_org on chat_import_made (org_id)`,
    `create index chat_import_made_target on chat_import_made (target)`,
  ])
}
