import { type Kysely, sql } from 'kysely'

/** What the team notes of a contact; and pictures and documents of a conversation are listed apart: few among many messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('contact').addColumn('note', 'text').execute()
  await sql`create index message_pictures on message (conversation_id, at desc, seq desc) where type in ('image', 'video')`.execute(
    db,
  )
  await sql`create index message_documents on message (conversation_id, at desc, seq desc) where type = 'document'`.execute(
    db,
  )
}
