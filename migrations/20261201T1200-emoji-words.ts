import { type Kysely, sql } from 'kysely'

/** Emojis are words from now on: what was read in before is looked through for them once, from here to the first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into search_place (name, seq) select 'emoji', seq from search_place where name = 'message' and seq > 0`.execute(
    db,
  )
}
