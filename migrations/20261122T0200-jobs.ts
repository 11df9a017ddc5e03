import { type Kysely, sql } from 'kysely'

/** Everything that waits: one row a job, whatever its kind. A queue is kind, lane, organization and pace key in one word. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('job')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    // '': the installation's own. No reference: what is left of a deleted organization must still be settled.
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('lane', 'integer', c => c.notNull())
    .addColumn('queue', 'text', c => c.notNull())
    .addColumn('order_key', 'text')
    .addColumn('pace_key', 'text', c => c.notNull())
    .addColumn('unique_key', 'text')
    .addColumn('payload', 'text', c => c.notNull())
    // scheduled | waiting | running | retrying | parked | done | failed | cancelled
    .addColumn('state', 'text', c => c.notNull())
    // 1: another of its order key and lane stands before it.
    .addColumn('blocked', 'integer', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('due_at', 'text', c => c.notNull())
    .addColumn('owner', 'text')
    .addColumn('reason', 'text')
    .addColumn('added_at', 'text', c => c.notNull())
    .addColumn('finished_at', 'text')
    .execute()
  const index = (name: string, columns: string[], where: string) =>
    db.schema
      .createIndex(name)
      .on('job')
      .columns(columns)
      .where(sql<boolean>`${sql.raw(where)}`)
  await index('job_ready', ['queue', 'due_at', 'seq'], "state = 'waiting' and blocked = 0").execute()
  await index('job_due', ['due_at'], "state in ('scheduled', 'retrying')").execute()
  await index(
    'job_line',
    ['org_id', 'order_key', 'lane', 'seq'],
    "order_key is not null and state in ('waiting', 'running', 'retrying')",
  ).execute()
  // Never two of one key at once: the database itself holds it, whatever the processes believe.
  await index('job_running_key', ['org_id', 'order_key'], "order_key is not null and state = 'running'")
    .unique()
    .execute()
  await index('job_running', ['owner'], "state = 'running'").execute()
  await index(
    'job_unique',
    ['org_id', 'kind', 'unique_key'],
    "unique_key is not null and state in ('scheduled', 'waiting', 'running', 'retrying', 'parked')",
  )
    .unique()
    .execute()
  await index(
    'job_kind',
    ['kind', 'state', 'due_at'],
    "state in ('scheduled', 'waiting', 'running', 'retrying', 'parked')",
  ).execute()
  await index('job_finished', ['finished_at'], 'finished_at is not null').execute()
  await db.schema.createIndex('job_org').on('job').columns(['org_id', 'kind']).execute()

  // A process at work. Its jobs are its own while it is seen.
  await db.schema
    .createTable('job_worker')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('place', 'text')
    .addColumn('pid', 'integer', c => c.notNull())
    .addColumn('seen_at', 'text', c => c.notNull())
    .execute()

  // How fast a key's jobs may start, and when the next one may.
  await db.schema
    .createTable('job_pace')
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('pace_key', 'text', c => c.notNull())
    .addColumn('per_second', 'real')
    .addColumn('free_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('job_pace_pk', ['org_id', 'pace_key'])
    .execute()
}
