import type { Static, TSchema } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Lane, Queue } from './lane.ts'

/** A job to add. */
export interface NewJob<T> {
  readonly payload: T
  /** Default: the lane of the kind. */
  readonly lane?: Lane
  /**
   * Within an organization, jobs with one order key run strictly one after another; those in a higher lane go first.
   */
  readonly orderKey?: string
  /** Within an organization, jobs with one pace key share a rate limit and a pause. */
  readonly paceKey?: string
  /** ISO time; by default now. Until then it takes no place in its line. */
  readonly dueAt?: string
  /** While a job with this key is unfinished, within an organization and kind, no other is added. */
  readonly uniqueKey?: string
}

/** A claimed job. */
export interface Job<T = unknown> {
  readonly seq: number
  /** Empty: belongs to the installation. */
  readonly orgId: string
  readonly kind: string
  readonly rank: number
  readonly payload: T
  /** Including this one. */
  readonly attempts: number
  readonly orderKey: string | null
  readonly paceKey: string
  readonly uniqueKey: string | null
  readonly dueAt: string
  readonly addedAt: string
  /** The request that added it, see `log/trace.ts`; null: other work did. */
  readonly trace: string | null
}

/**
 * The end of an attempt. `done` · `retry`: again after a delay (absent: the kind's), keeping its place in its line
 * unless `letsPass` · `waits`: not its own fault, so the attempt does not count; due after a delay, or when `hasten` is
 * called with its reason · `again`: done and due again, attempts restart · `failed` · `parked`: kept for an operator,
 * not run again · `released`: as if not claimed · `gone`: another process has it, nothing is written.
 */
type Ending =
  /** `isKept` defaults to that of the kind. */
  | { readonly kind: 'done'; readonly isKept?: boolean }
  | { readonly kind: 'retry'; readonly afterMs?: number; readonly reason: string; readonly letsPass?: boolean }
  | { readonly kind: 'waits'; readonly afterMs: number; readonly reason: string }
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'parked'; readonly reason: string }
  | { readonly kind: 'released' }
  | { readonly kind: 'gone' }

export type Outcome = Ending & {
  /** Runs in the commit that ends the job; not at all if another process has ended it meanwhile. May run twice. */
  write?(writes: ManyWrites): Promise<unknown>
  /** Runs once for all jobs of a commit that have the same `write` function, and gets the items of all of them. */
  readonly together?: Together
}

interface Together {
  // biome-ignore lint/suspicious/noExplicitAny: who makes the function makes its items
  readonly write: (writes: ManyWrites, items: readonly any[]) => Promise<unknown>
  readonly item: unknown
}

export interface JobKind<S extends TSchema, P = undefined> {
  /** Letters, dots and dashes. Must not change while rows exist. */
  readonly name: string
  readonly payload: S
  /** Default: `bot`. */
  readonly lane?: Lane
  /**
   * Jobs of this kind that one process runs at once. Lower lanes get a share of this and the next two, see `slotsOf`.
   */
  readonly atOnce: number
  /** The same limit for one organization; by default `atOnce`. */
  readonly perOrg?: number
  /**
   * True: an organization gets at most half of the slots that others leave free, so that the next one finds a slot.
   */
  readonly leavesSlots?: boolean
  /** The same limit for one pace key of an organization; by default `perOrg`. */
  readonly perKey?: number
  /** Attempts after which a throwing handler has failed for good; by default 5. */
  readonly tries?: number
  /** Delays after failed attempts, the last one repeated; by default growing from a second to an hour. */
  readonly gapsMs?: readonly number[]
  /** False: rows of done jobs are deleted at once. By default they are kept for a day. */
  readonly isKept?: boolean
  /**
   * True: the handler only reads, and its outcome writes everything, so a job of a dead process begins again at once.
   */
  readonly isWhole?: boolean
  /**
   * True: nothing depends on when its end is written. Ends wait some milliseconds to share a commit, except in the lane
   * of people.
   */
  readonly endsTogether?: boolean
  /** True: when the process stops, running calls get some seconds to finish; otherwise they are aborted at once. */
  readonly hasGrace?: boolean
  /**
   * The farthest that a job of this kind is ever scheduled. A later one was written by a clock that was ahead, and is
   * due at once; so are jobs due soon when the machine's clock is set back. So running early must do no harm, or
   * `keepsTime` is set.
   */
  readonly looksWithinMs: number
  /**
   * The first attempt never runs early. `chosen`: a calendar time, which no clock change affects; beyond the farthest
   * possible it is moved there. `fromAdding`: a delay from adding; if added by a clock that was ahead, the delay counts
   * from now.
   */
  readonly keepsTime?: 'chosen' | 'fromAdding'
  /** Starts per second for each pace key without a rate of its own; by default unlimited. */
  readonly perSecond?: number
  /**
   * Jobs of a queue that this process may begin now, besides its rate; with 0, `inMs` says when to check again.
   * Undefined: unlimited.
   */
  free?(queue: Queue): { readonly count: number; readonly inMs: number } | undefined
  /**
   * Runs in the claiming commit, before any of these jobs runs: writes what must be stored by then. Returns by `seq`
   * what `run` gets, or an outcome that ends the job in the same commit. Absent for a job: it runs without.
   */
  claimed?(
    writes: ManyWrites,
    jobs: readonly Job<Static<S>>[],
  ): Promise<ReadonlyMap<number, { ready: P } | { over: Outcome }>>
  /**
   * Runs one job. Returning undefined: done. Throwing: retried after the kind's delay. `signal`: the process stops,
   * abort.
   */
  run(job: Job<Static<S>>, context: { ready: P | undefined; signal: AbortSignal }): Promise<Outcome | undefined>
  /**
   * Called for jobs of dead processes, in the commit that releases them. Returns, by `seq`, the jobs that certainly did
   * not begin. These are released as if not claimed; for the others see `lost`.
   */
  unbegun?(db: Db, jobs: readonly Job<Static<S>>[]): Promise<ReadonlySet<number>>
  /**
   * The outcome of a job that may have done its work although its end was not written: its process died, it threw, or
   * its end cannot be written. By default it is retried.
   */
  lost?(job: Job<Static<S>>): Outcome
}

export type AnyKind = JobKind<TSchema, unknown>

const defaultGapsMs = [1_000, 5_000, 30_000, 5 * 60_000, 30 * 60_000, 60 * 60_000]
/** The longest of the default delays; `looksWithinMs` of kinds that are added to run at once. */
export const longestGapMs = Math.max(...defaultGapsMs)

export const triesOf = (kind: AnyKind): number => kind.tries ?? 5
export const perOrgOf = (kind: AnyKind): number => kind.perOrg ?? kind.atOnce
export const perKeyOf = (kind: AnyKind): number => kind.perKey ?? perOrgOf(kind)
/** More deaths than chance explains: the job itself kills its process. */
export const maxDeaths = 40
export const gapMsOf = (kind: AnyKind, attempts: number): number => {
  const gaps = kind.gapsMs ?? defaultGapsMs
  return gaps[Math.min(attempts, gaps.length) - 1] ?? 1_000
}
/** A failed attempt is never scheduled again later than this. */
export const retriesWithinMs = ({ keepsTime, looksWithinMs, gapsMs = defaultGapsMs }: AnyKind): number =>
  keepsTime ? Math.max(...gapsMs) : looksWithinMs
