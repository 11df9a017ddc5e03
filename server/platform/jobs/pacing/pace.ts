import { longestPauseMs } from './longest-pause.ts'
import type { PaceRow } from './pace-store.ts'

/** Starts missed by at most this are caught up; earlier ones are lost. */
const madeUpMs = 50

interface PaceNow {
  /** Jobs that may start now; `Infinity` without a rate. */
  readonly count: number
  /** If none may start now, the next may at this time; Unix milliseconds. */
  readonly freeMs: number
}

const freeMsOf = (row: PaceRow | undefined, nowMs: number): number => {
  const freeMs = row ? Date.parse(row.freeAt) : 0
  return freeMs > nowMs + longestPauseMs ? 0 : freeMs
}

const rateOf = (row: PaceRow | undefined, perSecond: number | undefined) => row?.perSecond ?? perSecond

const slots = (row: PaceRow | undefined, rate: number, nowMs: number) => {
  const from = Math.max(freeMsOf(row, nowMs), nowMs - madeUpMs)
  return { from, intervalMs: 1000 / rate }
}

/** The rate of the key, if it has one, precedes the rate of its kind. */
export function paceNow(row: PaceRow | undefined, perSecond: number | undefined, nowMs: number): PaceNow {
  const freeMs = freeMsOf(row, nowMs)
  if (freeMs > nowMs) return { count: 0, freeMs }
  const rate = rateOf(row, perSecond)
  if (rate === undefined) return { count: Number.POSITIVE_INFINITY, freeMs }
  const { from, intervalMs } = slots(row, rate, nowMs)
  return { count: Math.floor((nowMs - from) / intervalMs) + 1, freeMs }
}

/**
 * Returns the time at which the next job may start after `count` starts. Undefined: there is no rate, and nothing to
 * store.
 */
export function freeAfter(
  row: PaceRow | undefined,
  perSecond: number | undefined,
  nowMs: number,
  count: number,
): string | undefined {
  const rate = rateOf(row, perSecond)
  if (rate === undefined || count === 0) return undefined
  const { from, intervalMs } = slots(row, rate, nowMs)
  return new Date(Math.round(from + count * intervalMs)).toISOString()
}
