import { longestPauseMs } from './longest-pause.ts'
import type { PaceRow } from './pace-store.ts'

/** Starts missed by no more than this are made up for; what was missed earlier is gone. */
const madeUpMs = 50

export interface PaceNow {
  /** So many may start now. */
  readonly count: number
  /** When the next may, if none may now; ms since 1970. */
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

/** What a key's pace allows; without a rate of its own that of its kind, without either anything. */
export function paceNow(row: PaceRow | undefined, perSecond: number | undefined, nowMs: number): PaceNow {
  const freeMs = freeMsOf(row, nowMs)
  if (freeMs > nowMs) return { count: 0, freeMs }
  const rate = rateOf(row, perSecond)
  if (rate === undefined) return { count: Number.POSITIVE_INFINITY, freeMs }
  const { from, intervalMs } = slots(row, rate, nowMs)
  return { count: Math.floor((nowMs - from) / intervalMs) + 1, freeMs }
}

/** When the next may start once `count` have; undefined: there is no rate, nothing to remember. */
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
