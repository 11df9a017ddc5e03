import type { Static, TSchema } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Lane, Queue } from './lane.ts'

/** What a caller says of a job. */
export interface NewJob<T> {
  readonly payload: T
  /** The kind's own unless said. */
  readonly lane?: Lane
  /** Jobs of one key, within an organization, run strictly one after another; a higher lane's go first. */
  readonly orderKey?: string
  /** Jobs of one key, within an organization, share a pace and a pause. */
  readonly paceKey?: string
  /** ISO time; now unless said. Until then it takes no place among those of its order key. */
  readonly dueAt?: string
  /** While one with this key is unfinished, within an organization and kind, another is not added. */
  readonly uniqueKey?: string
}

/** A job somebody has claimed. */
export interface Job<T = unknown> {
  readonly seq: number
  /** Empty: the installation's own. */
  readonly orgId: string
  readonly kind: string
  readonly rank: number
  readonly payload: T
  /** This one included. */
  readonly attempts: number
  readonly orderKey: string | null
  readonly paceKey: string
  readonly uniqueKey: string | null
  readonly dueAt: string
  readonly addedAt: string
}

/**
 * How a job ended. `done` · `retry`: again after a while, keeping its place among those of its order key unless it lets
 * them pass (`afterMs` absent: the kind's gap) · `waits`: not its own fault, the try does not count; due after a while, or
 * when somebody hastens those of its reason · `again`: done and due once more, its attempts begin anew · `failed` ·
 * `parked`: put aside for good, its row kept for an operator to look at · `released`: as if it had not been claimed · `gone`: another
 * process's by now, nothing is written.
 */
export type Ending =
  /** `isKept`: as the kind says unless said. */
  | { readonly kind: 'done'; readonly isKept?: boolean }
  | { readonly kind: 'retry'; readonly afterMs?: number; readonly reason: string; readonly letsPass?: boolean }
  | { readonly kind: 'waits'; readonly afterMs: number; readonly reason: string }
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'parked'; readonly reason: string }
  | { readonly kind: 'released' }
  | { readonly kind: 'gone' }

export type Outcome = Ending & {
  /** Written in the commit that ends the job; not at all when somebody else has ended it meanwhile. May run twice. */
  write?(writes: ManyWrites): Promise<unknown>
  /** The same for all of one commit whose `write` is one and the same function: it is given what each of them brings. */
  readonly together?: Together
}

export interface Together {
  // biome-ignore lint/suspicious/noExplicitAny: who makes the function makes its items
  readonly write: (writes: ManyWrites, items: readonly any[]) => Promise<unknown>
  readonly item: unknown
}

export interface JobKind<S extends TSchema, P = undefined> {
  /** Letters and points; stays as long as rows of it may wait. */
  readonly name: string
  readonly payload: S
  /** `bot` unless said. */
  readonly lane?: Lane
  /** So many of it run in this process at once; lower lanes have a part of it and of the next two, see `placesOf`. */
  readonly atOnce: number
  /** So many of one organization; as many as `atOnce` unless said. */
  readonly perOrg?: number
  /** True: of the places that others leave an organization has half at most, so that whoever comes next finds one. */
  readonly leavesPlaces?: boolean
  /** So many of one pace key of an organization; as many as `perOrg` unless said. */
  readonly perKey?: number
  /** Tries after which a handler that throws has failed for good; 5 unless said. */
  readonly tries?: number
  /** Pauses after each failed try, the last one again and again; growing from a second to an hour unless said. */
  readonly gapsMs?: readonly number[]
  /** False: a row that is done goes at once. Kept for a day unless said. */
  readonly isKept?: boolean
  /** True: a handler only reads, and all that a job does is written by its outcome: one whose process died begins anew at once. */
  readonly isWhole?: boolean
  /**
   * True: nobody's next step hangs on when its ends are written. A person's are at once; others wait some milliseconds, so
   * that those that come one by one share a commit.
   */
  readonly endsTogether?: boolean
  /** True: when the process ends, calls under way have some seconds to end by themselves; else they break off at once. */
  readonly hasGrace?: boolean
  /**
   * None of it is ever due later than so long from now. One that is was written by a clock that ran ahead, and is due at
   * once; so is what was due soon when the clock of the machine is put back. So to look early does no harm, or `keepsTime`.
   */
  readonly looksWithinMs: number
  /**
   * Its first try never comes before its time. `chosen`: a moment on the calendar, which no clock changes; one further ahead
   * than may be chosen comes as far ahead as may be. `fromAdding`: so long after it was added; what was added by a clock
   * that ran ahead is due so long from now.
   */
  readonly keepsTime?: 'chosen' | 'fromAdding'
  /** Starts a second for each pace key that has none of its own; no limit unless said. */
  readonly perSecond?: number
  /** What this process may begin of a queue now, beside its pace; with none, when to look again. Undefined: as much as there is. */
  free?(queue: Queue): { readonly count: number; readonly inMs: number } | undefined
  /**
   * In the commit of the claim, before any of these runs: what must be on disk by then. Answers what `run` is given,
   * by `seq`; an outcome instead ends the job in the same commit. Undefined for one: it runs without.
   */
  claimed?(
    writes: ManyWrites,
    jobs: readonly Job<Static<S>>[],
  ): Promise<ReadonlyMap<number, { ready: P } | { over: Outcome }>>
  /** One job. Nothing answered: done. Throwing: tried again after the kind's gap. `signal`: the process ends, break off. */
  run(job: Job<Static<S>>, context: { ready: P | undefined; signal: AbortSignal }): Promise<Outcome | undefined>
  /**
   * Of jobs whose process died, in the commit that gives them back: those that are known not to have begun, by `seq`. They
   * are as if they had not been claimed; of the others `lost` says what becomes of them.
   */
  unbegun?(db: Db, jobs: readonly Job<Static<S>>[]): Promise<ReadonlySet<number>>
  /**
   * What becomes of a job whose work may have been done while its end was not written: its process died, it threw, or
   * its end cannot be written. Tried again unless said.
   */
  lost?(job: Job<Static<S>>): Outcome
}

export type AnyKind = JobKind<TSchema, unknown>

const defaultGapsMs = [1_000, 5_000, 30_000, 5 * 60_000, 30 * 60_000, 60 * 60_000]
/** Of the gaps of kinds that name none: as far ahead as those look that are added to run at once. */
export const longestGapMs = Math.max(...defaultGapsMs)

export const triesOf = (kind: AnyKind): number => kind.tries ?? 5
export const perOrgOf = (kind: AnyKind): number => kind.perOrg ?? kind.atOnce
export const perKeyOf = (kind: AnyKind): number => kind.perKey ?? perOrgOf(kind)
/** More than a machine dies by itself: whoever goes on claims it and dies, dies of it. */
export const mostDeaths = 40
export const gapMsOf = (kind: AnyKind, attempts: number): number => {
  const gaps = kind.gapsMs ?? defaultGapsMs
  return gaps[Math.min(attempts, gaps.length) - 1] ?? 1_000
}
/** As far ahead as a failed try is due again. */
export const retriesWithinMs = ({ keepsTime, looksWithinMs, gapsMs = defaultGapsMs }: AnyKind): number =>
  keepsTime ? Math.max(...gapsMs) : looksWithinMs
