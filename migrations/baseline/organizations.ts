import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Organizations with their teams, members, invitations and settings. */
export async function createOrganizations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('organization')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('slug', 'text', c => c.notNull().unique())
    .addColumn('logo', 'text')
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('metadata', 'text')
    // Nobody sees the organization any more; a job deletes its rows in batches.
    .addColumn('deleted_at', 'text')
    .execute()

  // Earlier addresses of an organization. They redirect to it and nobody else can take them.
  await db.schema
    .createTable('former_slug')
    .addColumn('slug', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .execute()
  await runAll(db, [`create index "former_slug_org" on "former_slug" ("org_id")`])

  // No row: the defaults. Null is a default, too.
  await db.schema
    .createTable('org_settings')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('time_zone', 'text')
    .addColumn('language', 'text')
    .addColumn('country', 'text')
    .addColumn('updated_at', 'text', c => c.notNull())
    .addColumn('second_factor_required', 'integer', c => c.notNull().defaultTo(0))
    // JSON of the week and the days that differ; null: always open.
    .addColumn('business_hours', 'text')
    // How long messages are kept; null: for ever.
    .addColumn('retention_months', 'integer')
    .addColumn('retention_ran_at', 'text')
    .addColumn('retention_deleted', 'integer')
    .addColumn('files_limit_bytes', 'integer')
    .execute()

  // Deletions that an owner has requested; they can be undone until `due_at`.
  await db.schema
    .createTable('org_deletion')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('requested_by', 'text', c => c.notNull())
    .addColumn('requested_at', 'text', c => c.notNull())
    .addColumn('due_at', 'text', c => c.notNull())
    .execute()

  await db.schema
    .createTable('team')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('memberCount', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('organizationId', 'text', ofOrganization)
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('updatedAt', 'text')
    .addColumn('description', 'text')
    .execute()
  await runAll(db, [`create index "team_organizationId_idx" on "team" ("organizationId")`])

  await db.schema
    .createTable('teamMember')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('teamId', 'text', c => c.notNull().references('team.id').onDelete('cascade'))
    .addColumn('userId', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('membershipKey', 'text', c => c.unique())
    .addColumn('createdAt', 'text')
    .execute()
  await runAll(db, [
    `create index "teamMember_teamId_idx" on "teamMember" ("teamId")`,
    `create index "teamMember_userId_idx" on "teamMember" ("userId")`,
  ])

  await db.schema
    .createTable('member')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('organizationId', 'text', ofOrganization)
    .addColumn('userId', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('createdAt', 'text', c => c.notNull())
    // The name in small letters without accents, kept by the triggers in folded-names.ts.
    .addColumn('sort_name', 'text', c => c.notNull().defaultTo(''))
    .execute()
  await runAll(db, [
    `create index "member_organizationId_idx" on "member" ("organizationId")`,
    `create index "member_userId_idx" on "member" ("userId")`,
    // better-auth looks before it inserts; two invitations accepted at once would pass both looks.
    `create unique index "member_once" on "member" ("userId", "organizationId")`,
    `create index "member_by_name" on "member" ("organizationId", "sort_name", "userId")`,
  ])

  await db.schema
    .createTable('invitation')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('organizationId', 'text', ofOrganization)
    .addColumn('email', 'text', c => c.notNull())
    .addColumn('role', 'text')
    .addColumn('teamId', 'text')
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('expiresAt', 'text', c => c.notNull())
    .addColumn('createdAt', 'text', c => c.notNull())
    .addColumn('inviterId', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .execute()
  await runAll(db, [
    `create index "invitation_organizationId_idx" on "invitation" ("organizationId")`,
    `create index "invitation_email_idx" on "invitation" ("email")`,
    `create index "invitation_end" on "invitation" ("expiresAt")`,
  ])

  await db.schema
    .createTable('invitation_renewal')
    .addColumn('invitation_id', 'text', c => c.primaryKey().references('invitation.id').onDelete('cascade'))
    .addColumn('asked_at', 'text', c => c.notNull())
    .execute()
}
