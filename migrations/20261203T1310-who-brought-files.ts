import { type Kysely, sql } from 'kysely'

/** A way to the files that one person or key brought. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['template_media', 'ready_answer_file'])
    await sql.raw(`create index ${table}_brought on ${table} (brought_by) where brought_by is not null`).execute(db)
}
