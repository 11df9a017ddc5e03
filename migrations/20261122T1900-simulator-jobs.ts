import type { Kysely } from 'kysely'

const keptMs = 30 * 86_400_000
const rowsAtOnce = 500

interface Waiting {
  seq: number
  org_id: string
  kind: 'step' | 'post'
  lane: string
  wa_id: string
  plan: string | null
  body: string | null
  attempts: number
  due_ms: number | null
  since_ms: number
}

const at = (ms: number) => new Date(Number(ms)).toISOString()

const common = { lane: 1, pace_key: '', state: 'scheduled', blocked: 0, attempts: 0 }

/** A webhook on its way, or statuses of a message that are still to come. */
const jobOf = (row: Waiting) =>
  row.kind === 'post'
    ? {
        ...common,
        org_id: row.org_id,
        kind: 'simulator.webhook',
        queue: `simulator.webhook/1/${row.org_id}/`,
        order_key: row.lane,
        payload: JSON.stringify({ body: row.body ?? '', tried: Number(row.attempts) }),
        due_at: at(row.due_ms ?? row.since_ms),
        added_at: at(row.since_ms),
      }
    : {
        ...common,
        org_id: row.org_id,
        kind: 'simulator.status',
        queue: `simulator.status/1/${row.org_id}/`,
        payload: JSON.stringify({
          wamid: row.lane,
          waId: row.wa_id,
          plan: (row.plan ?? '').split(' ').filter(Boolean),
        }),
        // Waited for the customer: at most as long as anything is kept.
        due_at: at(row.due_ms ?? Number(row.since_ms) + keptMs),
        reason: row.due_ms === null ? `customer ${row.wa_id}` : null,
        added_at: at(row.since_ms),
      }

/** What waits in the simulator is jobs like everything else that waits; its loop and the lease of it are gone. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  for (let after = 0; ; ) {
    const rows = (await db
      .selectFrom('sandbox_job')
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rowsAtOnce)
      .execute()) as Waiting[]
    for (const row of rows) await db.insertInto('job').values(jobOf(row)).execute()
    if (rows.length < rowsAtOnce) break
    after = Number(rows.at(-1)?.seq)
  }
  const reviews = await db
    .selectFrom('sandbox_template')
    .select(['id', 'org_id', 'review_ms', 'created_ms'])
    .where('review_ms', 'is not', null)
    .execute()
  for (const { id, org_id, review_ms, created_ms } of reviews)
    await db
      .insertInto('job')
      .values({
        ...common,
        org_id,
        kind: 'simulator.review',
        queue: `simulator.review/1/${org_id}/`,
        unique_key: id,
        payload: JSON.stringify({ templateId: id }),
        due_at: at(review_ms),
        added_at: at(created_ms),
      })
      .execute()
  await db.schema.dropTable('sandbox_job').execute()
  await db.schema.dropIndex('sandbox_template_review').execute()
  await db.deleteFrom('job_lease').where('name', '=', 'simulator').execute()
}
