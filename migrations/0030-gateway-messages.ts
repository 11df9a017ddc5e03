import type { Kysely } from 'kysely'
import { ofOrganization } from './baseline/schema.ts'

/** Messages that programs sent through the gateway, with what they want back in statuses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gateway_message')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('message_id', 'text', c => c.notNull().references('message.id').onDelete('cascade'))
    .addColumn('callback_data', 'text')
    .execute()
  await db.schema.createIndex('gateway_message_message').on('gateway_message').column('message_id').execute()
}
