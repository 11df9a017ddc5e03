import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/** The report of statistics by mail: how often, to whom, and what was mailed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stats_report')
    .addColumn('org_id', 'text', c => ofOrganization(c).primaryKey())
    .addColumn('rhythm', 'text', c => c.notNull())
    // The period that was mailed last, such as `weekly 2026-11-16`: each is mailed once.
    .addColumn('sent_period', 'text', c => c.notNull())
    .addColumn('next_at', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('stats_report_recipient')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('unsubscribed_at', 'text')
    // The period that was handed to the mail server last.
    .addColumn('sent_period', 'text')
    .addPrimaryKeyConstraint('stats_report_recipient_pk', ['org_id', 'user_id'])
    .execute()
  await db.schema
    .createTable('stats_report_asked')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('user_id', 'text', c => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('asked_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('stats_report_asked_pk', ['org_id', 'user_id'])
    .execute()
  await runAll(db, [
    `create index stats_report_recipient_user on stats_report_recipient (user_id)`,
    `create index stats_report_asked_user on stats_report_asked (user_id)`,
  ])
}
