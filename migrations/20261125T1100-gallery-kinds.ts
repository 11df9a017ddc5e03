import { type Kysely, sql } from 'kysely'

/** Sounds and messages with addresses are listed apart, as pictures and documents are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index message_audio on message (conversation_id, at desc, seq desc) where type in ('audio', 'voice')`.execute(
    db,
  )
  await sql`create index message_links on message (conversation_id, at desc, seq desc) where text like '%http%://%'`.execute(
    db,
  )
}
