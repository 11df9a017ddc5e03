import type { Kysely } from 'kysely'

/** A draft played with what customers once said: what was drawn then, how far it is, and of each session how it went. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('flow_replay')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('flow_id', 'text', c => c.notNull())
    // JSON: as it was drawn when this began.
    .addColumn('graph', 'text', c => c.notNull())
    // Sessions that began since.
    .addColumn('since', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('total', 'integer', c => c.notNull())
    .addColumn('done', 'integer', c => c.notNull())
    // The session that was played last; empty: none was.
    .addColumn('after', 'text', c => c.notNull())
    .addColumn('started_at', 'text', c => c.notNull())
    .addColumn('started_by', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema.createIndex('flow_replay_flow').on('flow_replay').columns(['org_id', 'flow_id', 'id']).execute()
  await db.schema.createIndex('flow_replay_old').on('flow_replay').columns(['started_at']).execute()
  await db.schema
    .createTable('flow_replayed')
    .addColumn('replay_id', 'text', c => c.notNull().references('flow_replay.id').onDelete('cascade'))
    // In the order in which they were played, from 1.
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('session_id', 'text', c => c.notNull())
    .addColumn('conversation_id', 'text', c => c.notNull())
    .addColumn('verdict', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('flow_replayed_key', ['replay_id', 'place'])
    .execute()
}
