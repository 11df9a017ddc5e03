import type { Db } from '../../db.ts'

/** Statuses of a message that are still to come, in this order: `sent`, `delivered`, `read`, `played`, `failed:131026`. */
export interface StepJob {
  seq: number
  orgId: string
  wamid: string
  waId: string
  plan: readonly string[]
}

/** A webhook that waits to be delivered; posts of one lane go out one after the other. */
export interface PostJob {
  seq: number
  orgId: string
  lane: string
  body: string
  attempts: number
  sinceMs: number
}

export interface NewStep {
  orgId: string
  wamid: string
  waId: string
  plan: readonly string[]
  /** Null: when the customer is there. */
  dueMs: number | null
  sinceMs: number
}

export async function insertSteps(db: Db, steps: readonly NewStep[]): Promise<void> {
  if (!steps.length) return
  await db
    .insertInto('sandbox_job')
    .values(
      steps.map(step => ({
        org_id: step.orgId,
        kind: 'step' as const,
        lane: step.wamid,
        wa_id: step.waId,
        plan: step.plan.join(' '),
        body: null,
        attempts: 0,
        due_ms: step.dueMs,
        since_ms: step.sinceMs,
      })),
    )
    .execute()
}

export type NewPost = Omit<PostJob, 'seq'> & { waId: string; dueMs: number }

export async function insertPosts(db: Db, posts: readonly NewPost[]): Promise<void> {
  if (!posts.length) return
  await db
    .insertInto('sandbox_job')
    .values(
      posts.map(post => ({
        org_id: post.orgId,
        kind: 'post' as const,
        lane: post.lane,
        wa_id: post.waId,
        plan: null,
        body: post.body,
        attempts: post.attempts,
        due_ms: post.dueMs,
        since_ms: post.sinceMs,
      })),
    )
    .execute()
}

/** Steps of all organizations that are due, oldest first. */
export async function listDueSteps(db: Db, nowMs: number, limit: number): Promise<StepJob[]> {
  const rows = await db
    .selectFrom('sandbox_job')
    .select(['seq', 'org_id', 'lane', 'wa_id', 'plan'])
    .where('kind', '=', 'step')
    .where('due_ms', 'is not', null)
    .where('due_ms', '<=', nowMs)
    .orderBy('due_ms')
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    seq: row.seq,
    orgId: row.org_id,
    wamid: row.lane,
    waId: row.wa_id,
    plan: (row.plan ?? '').split(' ').filter(Boolean),
  }))
}

/** Webhooks of all organizations that are due, except of lanes that have one under way. */
export async function listDuePosts(
  db: Db,
  nowMs: number,
  exceptLanes: readonly string[],
  limit: number,
): Promise<PostJob[]> {
  let query = db
    .selectFrom('sandbox_job')
    .select(['seq', 'org_id', 'lane', 'body', 'attempts', 'since_ms'])
    .where('kind', '=', 'post')
    .where('due_ms', 'is not', null)
    .where('due_ms', '<=', nowMs)
  if (exceptLanes.length) query = query.where('lane', 'not in', exceptLanes)
  const rows = await query.orderBy('due_ms').orderBy('seq').limit(limit).execute()
  return rows.map(row => ({
    seq: row.seq,
    orgId: row.org_id,
    lane: row.lane,
    body: row.body ?? '',
    attempts: row.attempts,
    sinceMs: row.since_ms,
  }))
}

/** When the next row is due that is not due yet; undefined: none. */
export async function nextDueMs(db: Db, afterMs: number): Promise<number | undefined> {
  const dueOf = (kind: 'step' | 'post') =>
    db
      .selectFrom('sandbox_job')
      .select(eb => eb.fn.min('due_ms').as('due'))
      .where('kind', '=', kind)
      .where('due_ms', 'is not', null)
      .where('due_ms', '>', afterMs)
      .executeTakeFirst()
  const times = [(await dueOf('step'))?.due, (await dueOf('post'))?.due].filter(due => typeof due === 'number')
  return times.length ? Math.min(...times) : undefined
}

/** Since when the row that waits longest is due; undefined: none is. */
export async function oldestDueMs(db: Db, nowMs: number): Promise<number | undefined> {
  const times: number[] = []
  for (const kind of ['step', 'post'] as const) {
    const row = await db
      .selectFrom('sandbox_job')
      .select('due_ms')
      .where('kind', '=', kind)
      .where('due_ms', 'is not', null)
      .where('due_ms', '<=', nowMs)
      .orderBy('due_ms')
      .limit(1)
      .executeTakeFirst()
    if (row?.due_ms != null) times.push(row.due_ms)
  }
  return times.length ? Math.min(...times) : undefined
}

export async function deleteJobs(db: Db, seqs: readonly number[]): Promise<void> {
  if (seqs.length) await db.deleteFrom('sandbox_job').where('seq', 'in', seqs).execute()
}

export async function postponeJobs(
  db: Db,
  seqs: readonly number[],
  to: { dueMs: number; attempts: number },
): Promise<void> {
  await db
    .updateTable('sandbox_job')
    .set({ due_ms: to.dueMs, attempts: to.attempts })
    .where('seq', 'in', seqs)
    .execute()
}

/** What waited for a customer (or for any of the organization's) is tried again. */
export async function wakeJobs(db: Db, orgId: string, nowMs: number, waId?: string): Promise<void> {
  let query = db
    .updateTable('sandbox_job')
    .set({ due_ms: nowMs })
    .where('org_id', '=', orgId)
    .where('due_ms', 'is', null)
  if (waId !== undefined) query = query.where('wa_id', '=', waId)
  await query.execute()
}

export async function deleteJobsSince(db: Db, beforeMs: number, limit: number): Promise<number> {
  const old = db.selectFrom('sandbox_job').select('seq').where('since_ms', '<', beforeMs).limit(limit)
  const result = await db.deleteFrom('sandbox_job').where('seq', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
