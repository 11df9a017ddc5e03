import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Connected WhatsApp numbers. */
export async function createNumbers(db: Kysely<unknown>): Promise<void> {
  // One row per number that an organization connected; kept after it is disconnected.
  await db.schema
    .createTable('wa_connection')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('phone_number_id', 'text', c => c.notNull())
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('phone', 'text', c => c.notNull())
    .addColumn('verified_name', 'text')
    .addColumn('access_token_sealed', 'text', c => c.notNull())
    .addColumn('app_secret_sealed', 'text', c => c.notNull())
    .addColumn('verify_token_sealed', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull().defaultTo('connected'))
    .addColumn('status_reason', 'text')
    .addColumn('last_webhook_at', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .addColumn('disconnected_at', 'text')
    .addColumn('is_listed', 'integer', c => c.notNull().defaultTo(1))
    .addColumn('shown_phone', 'text')
    // What the organization calls the number.
    .addColumn('label', 'text')
    // Null: Meta has not said; -1: there is none.
    .addColumn('messaging_limit', 'integer')
    .addColumn('place', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await runAll(db, [
    `create unique index "wa_connection_org" on "wa_connection" ("org_id", "phone_number_id")`,
    // A disconnected number may be connected by anybody.
    `create unique index "wa_connection_number" on "wa_connection" ("phone_number_id") where "disconnected_at" is null`,
    `create index "wa_connection_waba" on "wa_connection" ("waba_id")`,
  ])

  // What Meta said last about a number.
  await db.schema
    .createTable('number_standing')
    .addColumn('connection_id', 'text', c => c.primaryKey().references('wa_connection.id').onDelete('cascade'))
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('read_at', 'text', c => c.notNull())
    // JSON of what Meta said, part by part; a part it did not say has the reason's code.
    .addColumn('facts', 'text', c => c.notNull())
    // The business's picture as a data URL; null: none.
    .addColumn('picture', 'text')
    .execute()
  await runAll(db, [`create index "number_standing_org" on "number_standing" ("org_id")`])

  // What messages cost the organization, as it entered it.
  await db.schema
    .createTable('rate_card')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('valid_from', 'text', c => c.notNull())
    .addColumn('rates', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .execute()

  // Rate of bulk sends per number: slowed by WhatsApp, or set by the organization (null: as usual).
  await db.schema
    .createTable('bulk_pace')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('connection_id', 'text', c => c.primaryKey().references('wa_connection.id').onDelete('cascade'))
    .addColumn('per_second', 'integer', c => c.notNull())
    .addColumn('slowed_at', 'text', c => c.notNull())
    .addColumn('set_per_second', 'integer')
    .execute()
  await runAll(db, [`create index "bulk_pace_org" on "bulk_pace" ("org_id")`])
}
