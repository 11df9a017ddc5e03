import { type Kysely, sql } from 'kysely'

/** What concerns flows was filed under the organization and its numbers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update audit_entry set kind = 'flows' where action in
    ('flowSettingsChanged', 'hookReplaced', 'secretCreated', 'secretReplaced', 'secretDeleted')`.execute(db)
}
