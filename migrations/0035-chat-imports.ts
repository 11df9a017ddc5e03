import type { Kysely } from 'kysely'
import { countFiles } from './baseline/counters.ts'
import { ofOrganization, runAll } from './baseline/schema.ts'

/** Chats that were exported elsewhere, and which messages came from them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: an import is forgotten after some time, and its messages stay.
  await db.schema.alterTable('message').addColumn('import_id', 'text').execute()
  await db.schema
    .createTable('chat_import')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('source', 'text', c => c.notNull())
    .addColumn('file_name', 'text')
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('failure', 'text')
    // Bytes of the whole file; null until the first piece came.
    .addColumn('size', 'integer')
    .addColumn('received', 'integer', c => c.notNull().defaultTo(0))
    // JSON: who is who.
    .addColumn('mapping', 'text', c => c.notNull())
    // JSON: what the file has.
    .addColumn('found', 'text')
    // JSON: what came in.
    .addColumn('taken', 'text', c => c.notNull())
    // JSON: the first lines that cannot be taken.
    .addColumn('refused', 'text', c => c.notNull())
    // How many messages of the file are done.
    .addColumn('place', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('conversation_id', 'text')
    .addColumn('contact_id', 'text')
    // JSON: what the import made new, and what the list showed before.
    .addColumn('before', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('announced_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema
    .createTable('chat_import_piece')
    .addColumn('import_id', 'text', c => c.notNull().references('chat_import.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('start', 'integer', c => c.notNull())
    .addColumn('file_id', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('size', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('chat_import_piece_pk', ['import_id', 'start'])
    .execute()
  await runAll(db, [
    `create index message_import on message (import_id, seq) where import_id is not null`,
    `create index chat_import_of on chat_import (org_id, id)`,
    `create index chat_import_age on chat_import (created_at)`,
    `create index chat_import_contact on chat_import (contact_id) where contact_id is not null`,
    `create index chat_import_piece_org on chat_import_piece (org_id)`,
  ])
  await countFiles(db, 'chat_import_piece')
}
