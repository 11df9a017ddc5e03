import { sql } from 'kysely'
import { bulkQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Lined, lineColumns, unblockHeads } from '../rows/add-store.ts'

export interface Ended {
  readonly seq: number
  readonly to:
    | { readonly state: 'done'; readonly isKept: boolean }
    | { readonly state: 'failed' | 'parked'; readonly reason: string }
    | { readonly state: 'retrying'; readonly dueAt: string; readonly reason: string }
    /**
     * Runs again later, without a place in its line until then. Without a reason nothing went wrong, and attempts
     * restart.
     */
    | { readonly state: 'scheduled'; readonly dueAt: string; readonly reason?: string; readonly isUncounted?: boolean }
    /**
     * The job is released as if it had not been claimed. `isAnew`: it is done, and due again behind everything that is
     * due.
     */
    | { readonly state: 'waiting'; readonly isAnew?: boolean }
}

type Seq = { readonly seq: number }
type Mine = Lined & Seq
type By = { owner: string; now: string }

const seqsOf = (rows: readonly Seq[]) => sql.join(rows.map(row => row.seq))
const returning = sql.raw(`returning ${lineColumns.join(', ')}`)

const keepDone = bulkQuery<Seq, By, Mine>(
  (_db, rows, { owner, now }) =>
    sql<Mine>`update job set state = 'done', owner = null, reason = null, finished_at = ${now}
      where seq in (${seqsOf(rows)}) and state = 'running' and owner = ${owner} ${returning}`,
  'lookup',
)

const dropDone = bulkQuery<Seq, By, Mine>(
  (_db, rows, { owner }) =>
    sql<Mine>`delete from job
      where seq in (${seqsOf(rows)}) and state = 'running' and owner = ${owner} ${returning}`,
  'lookup',
)

const release = bulkQuery<Seq, By, Mine>(
  (_db, rows, { owner }) =>
    sql<Mine>`update job set state = 'waiting', owner = null, attempts = attempts - 1,
        blocked = case when order_key is null then 0 else 1 end
      where seq in (${seqsOf(rows)}) and state = 'running' and owner = ${owner} ${returning}`,
  'lookup',
)

const beginAnew = bulkQuery<Seq, By, Mine>(
  (_db, rows, { owner, now }) =>
    sql<Mine>`update job set state = 'waiting', owner = null, attempts = 0, reason = null, due_at = ${now},
        blocked = case when order_key is null then 0 else 1 end
      where seq in (${seqsOf(rows)}) and state = 'running' and owner = ${owner} ${returning}`,
  'lookup',
)

const endOne = async (trx: Db, { seq, to }: Ended, { owner, now }: By): Promise<Mine[]> => {
  const changes = {
    done: {},
    waiting: {},
    failed: { reason: 'reason' in to ? to.reason : null, finished_at: now },
    parked: { reason: 'reason' in to ? to.reason : null },
    retrying: { reason: 'reason' in to ? to.reason : null, ...('dueAt' in to ? { due_at: to.dueAt } : {}) },
    scheduled: {
      ...('reason' in to && to.reason !== undefined ? { reason: to.reason } : { reason: null, attempts: 0 }),
      ...('isUncounted' in to && to.isUncounted ? { attempts: sql<number>`attempts - 1` } : {}),
      ...('dueAt' in to ? { due_at: to.dueAt } : {}),
    },
  }[to.state]
  return trx
    .updateTable('job')
    .set({ state: to.state, owner: null, ...changes })
    .where('seq', '=', seq)
    .where('state', '=', 'running')
    .where('owner', '=', owner)
    .returning(lineColumns)
    .execute()
}

type Way = Ended['to']
const isWay = (test: (to: Way) => boolean) => (one: Ended) => test(one.to)
const isSingle = isWay(to => to.state !== 'done' && to.state !== 'waiting')

export async function endJobs(trx: Db, owner: string, ended: readonly Ended[], now: string): Promise<Set<number>> {
  const by = { owner, now }
  const all = (test: (to: Way) => boolean) => ended.filter(isWay(test))
  const rows = [
    ...(await keepDone(
      trx,
      all(to => to.state === 'done' && to.isKept),
      by,
    )),
    ...(await dropDone(
      trx,
      all(to => to.state === 'done' && !to.isKept),
      by,
    )),
    ...(await release(
      trx,
      all(to => to.state === 'waiting' && !to.isAnew),
      by,
    )),
    ...(await beginAnew(
      trx,
      all(to => to.state === 'waiting' && to.isAnew === true),
      by,
    )),
  ]
  for (const one of ended.filter(isSingle)) rows.push(...(await endOne(trx, one, by)))
  await unblockHeads(trx, rows)
  return new Set(rows.map(row => row.seq))
}

const selectOwned = bulkQuery<Seq, { owner: string }, Seq>(
  (_db, rows, { owner }) =>
    sql<Seq>`select seq from job where seq in (${seqsOf(rows)}) and state = 'running' and owner = ${owner}`,
  'lookup',
)

/** Returns the numbers of the jobs that the owner still runs. */
export async function listOwned(trx: Db, owner: string, seqs: readonly number[]): Promise<Set<number>> {
  const rows = await selectOwned(
    trx,
    seqs.map(seq => ({ seq })),
    { owner },
  )
  return new Set(rows.map(({ seq }) => seq))
}
