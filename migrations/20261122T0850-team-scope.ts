import { type Kysely, sql } from 'kysely'

/**
 * Conversations of a team. No reference to the team: whoever removes one would rewrite all of them in one statement; a
 * job takes them back in batches.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('conversation').addColumn('team_id', 'text').execute()
  await db.schema
    .createIndex('conversation_team')
    .on('conversation')
    .columns(['org_id', 'team_id'])
    .where(sql.ref('team_id'), 'is not', null)
    .execute()
  await db.schema
    .alterTable('content_access_setting')
    .addColumn('teams', 'integer', c => c.notNull().defaultTo(0))
    .execute()
}
