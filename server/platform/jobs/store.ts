import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import {
  type ClaimedRow,
  claim,
  findNextQueue,
  listQueues,
  nextDueAt,
  type Quota,
  stageDue,
} from './claiming/claim-store.ts'
import { type Ended, endJobs, listOwned } from './outcomes/end-store.ts'
import { freePaces, listPaces, type PaceRow, restUntil, savePaces, setPerSecond } from './pacing/pace-store.ts'
import { addJobs, addRunning, type JobRow, listFree, mayBegin } from './rows/add-store.ts'
import {
  cancelJobs,
  cancelPaced,
  cancelWaiting,
  deleteFinished,
  deleteJobsOf,
  deleteKind,
  hastenJobs,
  type JobSelector,
  moveLine,
  type PacedPage,
  type Reschedule,
  rescheduleJobs,
} from './rows/change-store.ts'
import { countJobs, type KindCount } from './rows/health-store.ts'
import { isAtWork, isLeaseHeld, isLeaseTaken, takeLease } from './rows/lease-store.ts'
import { type LineJob, type LineSelector, listLine } from './rows/line-store.ts'
import {
  bringBackAdded,
  bringForward,
  callBack,
  callBackFarAhead,
  type FarAheadPage,
  type JobPage,
  listKindsFarAhead,
} from './rows/times-store.ts'
import {
  beat,
  forgetWorkers,
  insertWorker,
  listLost,
  listRunningOf,
  listWorkers,
  type Worker,
} from './workers/worker-store.ts'

/**
 * The database functions of the runner; one test suite covers every engine. Each takes a connection or a transaction,
 * and is one statement unless noted. No row is locked: transactions of all processes run one after another, so nobody
 * sees another's unfinished claim.
 */
export interface JobStore {
  /** Adds jobs; those whose unique key exists are skipped. Returns how many. At most two statements. */
  add(trx: Db, rows: readonly JobRow[]): Promise<number>
  /**
   * Adds those whose line is empty as claimed; of two in one line, the first. Returns them by unique key, with their
   * numbers. One statement.
   */
  addRunning(trx: Db, rows: readonly JobRow[], by: { owner: string }): Promise<ReadonlyMap<string, number>>
  /** Returns the rows whose line is empty. Of two rows in one line, returns the first. */
  listFree<T extends Pick<JobRow, 'orgId' | 'orderKey'>>(trx: Db, rows: readonly T[]): Promise<readonly T[]>
  /** Jobs added to a queue may begin in the same commit if nothing waits in it and the owner is alive. */
  mayBegin(db: Db, queue: string, by: { owner: string }): Promise<boolean>
  /** Gives up to `limit` due jobs their place in line. Returns how many. At most two statements. */
  stageDue(trx: Db, now: string, limit: number): Promise<number>
  /** The first queue after this name with something to claim. */
  findNextQueue(db: Db, after: string): Promise<string | undefined>
  /** Up to `limit` queues in a range of names with something to claim, in order. */
  listQueues(db: Db, range: { after: string; end: string; limit: number }): Promise<string[]>
  /** Claims the first jobs of each queue, up to its quota: running, owned, with an attempt counted. Few statements. */
  claim(trx: Db, quotas: readonly Quota[], by: { owner: string }): Promise<ClaimedRow[]>
  /**
   * Ends running jobs of an owner and unblocks the next in their lines. Returns the `seq` of those that the owner still
   * had. One statement per way of ending, and one more.
   */
  end(trx: Db, owner: string, ended: readonly Ended[], now: string): Promise<Set<number>>
  /** Returns the numbers of the jobs that the owner still runs. */
  listOwned(trx: Db, owner: string, seqs: readonly number[]): Promise<Set<number>>
  /** The next scheduled job falls due at this time; undefined: none is scheduled. */
  nextDueAt(db: Db): Promise<string | undefined>
  /** Cancels unfinished jobs, including running ones, whose outcome is ignored. Returns how many. */
  cancel(trx: Db, orgId: string, which: JobSelector, now: string): Promise<number>
  /** Cancels those that are not running; returns their unique keys in the order of adding. */
  cancelWaiting(trx: Db, orgId: string, which: JobSelector, now: string): Promise<string[]>
  /**
   * Replaces scheduled jobs, in the same lines. Returns the keys of those that were scheduled. Reads once, writes
   * sixteen at a time.
   */
  reschedule(trx: Db, orgId: string, kind: string, changes: readonly Reschedule[]): Promise<ReadonlySet<string>>
  cancelPaced(trx: Db, orgId: string, which: PacedPage & { kind: string }, now: string): Promise<string[]>
  /** The first job of a line, and those with these unique keys, in order. Two statements. */
  listLine(db: Db, orgId: string, which: LineSelector): Promise<LineJob[]>
  /** Moves jobs that are not running to another line. */
  moveLine(trx: Db, orgId: string, keys: { from: string; to: string }): Promise<void>
  /** Makes scheduled jobs that wait for this reason, or for any, due now. Returns how many. */
  hasten(trx: Db, orgId: string, which: { kind: string; reason?: string | undefined }, now: string): Promise<number>
  /**
   * Moves up to `limit` jobs that are due later and were added before a time, with their time of adding, earlier.
   * Returns how many, and the last number. Reads once, writes sixteen at a time.
   */
  bringForward(
    trx: Db,
    orgId: string,
    page: JobPage & { addedBy: string; ms: number },
  ): Promise<{ count: number; last: number }>
  /**
   * Makes up to `limit` jobs due now that are to be retried, or of these kinds, and due by a time. Returns how many.
   */
  callBack(db: Db, which: { kinds: readonly string[]; now: string; until: string; limit: number }): Promise<number>
  /** Returns the pairs of kind and state that have a job due later than their time. */
  listKindsFarAhead: typeof listKindsFarAhead
  /** Moves up to `limit` jobs of a kind and state that are due after a time. Returns how many. Two statements. */
  callBackFarAhead(databases: Pick<Databases, 'read' | 'write'>, which: FarAheadPage): Promise<number>
  /** Moves jobs of a page that were added in the future, keeping their delay. */
  bringBackAdded: typeof bringBackAdded
  /** Clears rate limits that expire before a time. */
  freePaces(db: Db, which: { now: string; until: string }): Promise<void>
  /** Deletes up to `limit` jobs of a kind in every state. Returns how many. Two statements. */
  deleteKind(trx: Db, orgId: string, which: Pick<JobPage, 'kind' | 'limit'>): Promise<number>
  /** Deletes up to `limit` jobs that ended before a time. Returns how many. */
  deleteFinished(db: Db, before: string, limit: number): Promise<number>
  /** Deletes up to `limit` jobs of an organization in every state. Returns how many. */
  deleteOf(db: Db, orgId: string, limit: number): Promise<number>
  /** Counts jobs by kind, with eight lookups for each. */
  count(db: Db, kinds: readonly string[], now: string): Promise<KindCount[]>
  listPaces(trx: Db, keys: readonly { orgId: string; paceKey: string }[]): Promise<PaceRow[]>
  savePaces(trx: Db, rows: readonly PaceRow[]): Promise<void>
  setPerSecond(trx: Db, row: { orgId: string; paceKey: string; perSecond: number | null; now: string }): Promise<void>
  /** Nothing of the key starts before that time; an earlier time than the stored one is ignored. */
  restUntil(trx: Db, row: { orgId: string; paceKey: string; until: string }): Promise<void>
  insertWorker(db: Db, worker: Worker): Promise<void>
  /** False: other processes declared this one dead, and its jobs were given away. */
  beat(db: Db, id: string, now: string): Promise<boolean>
  listWorkers(db: Db): Promise<Worker[]>
  forgetWorkers(db: Db, ids: readonly string[]): Promise<void>
  isAtWork(db: Db, id: string): Promise<boolean>
  isLeaseHeld(db: Db, name: string, owner: string): Promise<boolean>
  /** True if a live process has it, possibly the caller. */
  isLeaseTaken(db: Db, name: string): Promise<boolean>
  /** False: a live process has it, possibly this one. */
  takeLease(db: Db, name: string, owner: string): Promise<boolean>
  listRunningOf(db: Db, owner: string, limit: number): Promise<ClaimedRow[]>
  /** Up to `limit` running jobs whose owner is not alive. */
  listLost(db: Db, limit: number): Promise<(ClaimedRow & { owner: string })[]>
}

export const jobStore: JobStore = {
  add: addJobs,
  addRunning,
  mayBegin,
  listFree,
  stageDue,
  findNextQueue,
  listQueues,
  claim,
  end: endJobs,
  listOwned,
  nextDueAt,
  cancel: cancelJobs,
  cancelPaced,
  cancelWaiting,
  reschedule: rescheduleJobs,
  listLine,
  moveLine,
  hasten: hastenJobs,
  bringForward,
  callBack,
  listKindsFarAhead,
  callBackFarAhead,
  bringBackAdded,
  freePaces,
  deleteKind,
  deleteFinished,
  deleteOf: deleteJobsOf,
  count: countJobs,
  listPaces,
  savePaces,
  setPerSecond,
  restUntil,
  insertWorker,
  beat,
  listWorkers,
  forgetWorkers,
  isAtWork,
  isLeaseHeld,
  isLeaseTaken,
  takeLease,
  listLost,
  listRunningOf,
}
