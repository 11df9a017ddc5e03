import type { Judged, StoredSend } from '#server/features/bulk-sends/store.ts'
import { type BlockReason, careDefaults } from '#shared/bulk-sends/api.ts'

type Sent = Pick<StoredSend, 'counts' | 'optedOut' | 'care' | 'judgedFrom'>

/** With fewer known a single one would be a large part. */
export const fewestJudged = 20

/** People its turn has come for, left out ones aside. */
export const handedOf = ({ counts }: Pick<Sent, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.omitted - counts.planned

/** What there is of it now. */
export const judgedNow = (send: Sent & { readonly reason?: BlockReason | null }, quality: string | null): Judged => ({
  settled: handedOf(send) - send.counts.queued,
  failed: send.counts.failed,
  optedOut: send.optedOut,
  quality,
  knowsMarketing: send.judgedFrom.knowsMarketing === true || send.reason === 'templateRecategorised',
})

/**
 * Which of its limits a send is above, judged by what became of it since it was last begun or resumed; undefined: none, or
 * fewer than `fewest` are known. Pure.
 */
export function findExceeded(send: Sent, fewest: number): BlockReason | undefined {
  const { care, judgedFrom } = send
  const now = judgedNow(send, null)
  const settled = now.settled - judgedFrom.settled
  if (settled < Math.max(1, fewest)) return undefined
  const isAbove = (count: number, percent: number | null) => percent !== null && count * 100 > settled * percent
  if (isAbove(now.failed - judgedFrom.failed, care.limits.failedPercent)) return 'tooManyFailed'
  return isAbove(now.optedOut - judgedFrom.optedOut, care.limits.optedOutPercent) ? 'tooManyOptedOut' : undefined
}

/**
 * So many of whom nobody knows whether WhatsApp took it do not hold the others up: as many as might fail as well. With more of
 * them the way there is broken, and what becomes of them is waited for. Pure.
 */
export function mostUnconfirmed(send: Sent): number {
  const { care, judgedFrom } = send
  const percent = care.limits.failedPercent ?? careDefaults.failedPercent
  if (percent >= 100) return Number.POSITIVE_INFINITY
  const now = judgedNow(send, null)
  const [settled, failed] = [now.settled - judgedFrom.settled, now.failed - judgedFrom.failed]
  return Math.max(0, Math.floor((settled * percent - failed * 100) / (100 - percent)))
}

const limitReasons: readonly (BlockReason | null)[] = [
  'tooManyFailed',
  'tooManyOptedOut',
  'qualityLow',
  'templateRecategorised',
]
/** Whoever resumes a send above its limits has seen what became of it; what is tried again has yet to show. */
export const isJudgedAnew = ({
  startedAt,
  state,
  reason,
}: Pick<StoredSend, 'startedAt' | 'state' | 'reason'>): boolean =>
  startedAt === null || state === 'completed' || limitReasons.includes(reason)

/** How many of the first ones are left to be sent to; null: there are none, or all of them had their turn. */
export const leftOfCanary = (send: Sent): number | null => {
  const { canary } = send.care
  if (!canary) return null
  const left = canary.people - handedOf(send)
  return left > 0 ? left : null
}
