import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '../db/db.ts'
import { addJobs, addRunning, type JobRow, listFree, mayBegin } from './add-store.ts'
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
} from './change-store.ts'
import { type ClaimedRow, claim, findNextQueue, listQueues, nextDueAt, type Quota, stageDue } from './claim-store.ts'
import { type Ended, endJobs, listOwned } from './end-store.ts'
import { countJobs, type KindCount } from './health-store.ts'
import { isAtWork, isLeaseHeld, isLeaseTaken, takeLease } from './lease-store.ts'
import { type LineJob, type LineSelector, listLine } from './line-store.ts'
import { freePaces, listPaces, type PaceRow, restUntil, savePaces, setPerSecond } from './pace-store.ts'
import {
  bringBackAdded,
  bringForward,
  callBack,
  callBackFarAhead,
  type FarAheadPage,
  type JobPage,
  listKindsFarAhead,
} from './times-store.ts'
import { beat, forgetWorkers, insertWorker, listLost, listRunningOf, listWorkers, type Worker } from './worker-store.ts'

/**
 * Everything the runner asks of a database: one suite of tests holds every engine to it. Each takes a connection or a
 * transaction, and is one statement unless it says otherwise. No row is locked: transactions of all processes follow one
 * another, so whoever claims sees nobody else's half-done claim.
 */
export interface JobStore {
  /** Adds many; one whose unique key is taken is left out. Answers how many were added. Two statements at most. */
  add(trx: Db, rows: readonly JobRow[]): Promise<number>
  /**
   * Adds those in whose lines nobody stands, as if they were claimed; of two of one line the first. Answers which these are, by
   * their unique keys, with their numbers. One statement.
   */
  addRunning(trx: Db, rows: readonly JobRow[], by: { owner: string }): Promise<ReadonlyMap<string, number>>
  /** Of these those in whose lines nobody stands; of two of one line the first. */
  listFree<T extends Pick<JobRow, 'orgId' | 'orderKey'>>(trx: Db, rows: readonly T[]): Promise<readonly T[]>
  /** Whether what is added to a queue may begin in the same commit: nothing of it waits, and its owner is at work. */
  mayBegin(db: Db, queue: string, by: { owner: string }): Promise<boolean>
  /** Whose time has come takes its place in line; at most `limit`. Answers how many. Two statements at most. */
  stageDue(trx: Db, now: string, limit: number): Promise<number>
  /** The first queue with something to claim whose name stands behind this one. */
  findNextQueue(db: Db, after: string): Promise<string | undefined>
  /** Queues with something to claim whose names stand between two, in their order; at most `limit`. */
  listQueues(db: Db, range: { after: string; end: string; limit: number }): Promise<string[]>
  /** Takes the first of each queue, as many as its quota: running, owned, an attempt counted. Few statements. */
  claim(trx: Db, quotas: readonly Quota[], by: { owner: string }): Promise<ClaimedRow[]>
  /**
   * Ends running jobs of an owner, and lets the next of their order keys forward. Answers the `seq` of those that were
   * still his. A statement for each way of ending, and one more.
   */
  end(trx: Db, owner: string, ended: readonly Ended[], now: string): Promise<Set<number>>
  /** Which of these an owner runs still. */
  listOwned(trx: Db, owner: string, seqs: readonly number[]): Promise<Set<number>>
  /** When the next scheduled one falls due; undefined: none is scheduled. */
  nextDueAt(db: Db): Promise<string | undefined>
  /** Cancels unfinished jobs, running ones too: how those end counts for nothing. Answers how many. */
  cancel(trx: Db, orgId: string, which: JobSelector, now: string): Promise<number>
  /** Cancels those that do not run; answers their unique keys, in the order they were added. */
  cancelWaiting(trx: Db, orgId: string, which: JobSelector, now: string): Promise<string[]>
  /**
   * Scheduled ones become others that are, of the same order keys. Answers the keys of those that were scheduled. Reads
   * once, writes sixteen at a time.
   */
  reschedule(trx: Db, orgId: string, kind: string, changes: readonly Reschedule[]): Promise<ReadonlySet<string>>
  cancelPaced(trx: Db, orgId: string, which: PacedPage & { kind: string }, now: string): Promise<string[]>
  /** The one every other of an order key waits for, and those of these unique keys; in their order. Two statements. */
  listLine(db: Db, orgId: string, which: LineSelector): Promise<LineJob[]>
  /** What does not run and has an order key stands behind another key from now on. */
  moveLine(trx: Db, orgId: string, keys: { from: string; to: string }): Promise<void>
  /** Scheduled ones that wait for this reason, or for any, are due now. Answers how many. */
  hasten(trx: Db, orgId: string, which: { kind: string; reason?: string | undefined }, now: string): Promise<number>
  /**
   * At most `limit` that are due later and were added by a time are due and added so much earlier. Answers how many, and
   * the last number to go on from. Reads once, writes sixteen at a time.
   */
  bringForward(
    trx: Db,
    orgId: string,
    page: JobPage & { addedBy: string; ms: number },
  ): Promise<{ count: number; last: number }>
  /** At most `limit` that are to be tried again, or are of some kinds, and due later, but by a time, are due now. Answers how many. */
  callBack(db: Db, which: { kinds: readonly string[]; now: string; until: string; limit: number }): Promise<number>
  /** Of these kinds and states those of which something is due later. */
  listKindsFarAhead: typeof listKindsFarAhead
  /** At most `limit` of a kind and state that are due after a time are due at another. Answers how many. Two statements. */
  callBackFarAhead(databases: Pick<Databases, 'read' | 'write'>, which: FarAheadPage): Promise<number>
  /** Of a page of a kind what was added later than now is due as long after now. */
  bringBackAdded: typeof bringBackAdded
  /** Pace keys that would be free later, but by a time, are free now. */
  freePaces(db: Db, which: { now: string; until: string }): Promise<void>
  /** Deletes at most `limit` of a kind, whatever their state. Answers how many. Two statements. */
  deleteKind(trx: Db, orgId: string, which: Pick<JobPage, 'kind' | 'limit'>): Promise<number>
  /** Deletes at most `limit` that ended before a time. Answers how many. */
  deleteFinished(db: Db, before: string, limit: number): Promise<number>
  /** Deletes at most `limit` of an organization, whatever their state. Answers how many. */
  deleteOf(db: Db, orgId: string, limit: number): Promise<number>
  /** By kind. Eight lookups a kind. */
  count(db: Db, kinds: readonly string[], now: string): Promise<KindCount[]>
  listPaces(trx: Db, keys: readonly { orgId: string; paceKey: string }[]): Promise<PaceRow[]>
  savePaces(trx: Db, rows: readonly PaceRow[]): Promise<void>
  setPerSecond(trx: Db, row: { orgId: string; paceKey: string; perSecond: number | null; now: string }): Promise<void>
  /** Nothing of the key starts before that time; an earlier one changes nothing. */
  restUntil(trx: Db, row: { orgId: string; paceKey: string; until: string }): Promise<void>
  insertWorker(db: Db, worker: Worker): Promise<void>
  /** False: somebody has declared it dead, and its jobs are given away. */
  beat(db: Db, id: string, now: string): Promise<boolean>
  listWorkers(db: Db): Promise<Worker[]>
  forgetWorkers(db: Db, ids: readonly string[]): Promise<void>
  isAtWork(db: Db, id: string): Promise<boolean>
  isLeaseHeld(db: Db, name: string, owner: string): Promise<boolean>
  /** Whether a worker has it, be it whoever asks. */
  isLeaseTaken(db: Db, name: string): Promise<boolean>
  /** False: a worker has it, be it this one. */
  takeLease(db: Db, name: string, owner: string): Promise<boolean>
  /** Running jobs of an owner; at most `limit`. */
  listRunningOf(db: Db, owner: string, limit: number): Promise<ClaimedRow[]>
  /** Running jobs whose owner is no worker; at most `limit`. */
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
