import type { Kysely } from 'kysely'

/** Within how many minutes of business hours an organization promises a first response; null: the default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('org_settings').addColumn('promise_minutes', 'integer').execute()
}
