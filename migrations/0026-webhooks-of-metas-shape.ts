import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** Outgoing webhooks of Meta's shape prove themselves with a token of the program, which is encrypted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [`alter table "outgoing_webhook" add column "verify_token" text`])
}
