import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** Which webhooks get an event stands in its deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [`alter table "webhook_event" drop column "webhooks"`])
}
