import type { Kysely } from 'kysely'

/** To whom conversations go by themselves, and whether somebody is there to have them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('assignment_rule')
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    // Empty: of the organization.
    .addColumn('team_id', 'text', column => column.notNull())
    .addColumn('way', 'text', column => column.notNull())
    .addColumn('most', 'integer')
    .addColumn('to_last', 'integer', column => column.notNull())
    .addColumn('last_user_id', 'text')
    .addPrimaryKeyConstraint('assignment_rule_pk', ['org_id', 'team_id'])
    .execute()
  await db.schema
    .createTable('availability')
    .addColumn('org_id', 'text', column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('changed_at', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('availability_pk', ['org_id', 'user_id'])
    .execute()
  await db.schema.createIndex('availability_user').on('availability').column('user_id').execute()
}
