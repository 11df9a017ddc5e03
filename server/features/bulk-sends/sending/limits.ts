import { careDefaults } from '#shared/bulk-sends/care.ts'
import type { BlockReason } from '#shared/bulk-sends/states.ts'
import type { Judged, StoredSend } from '../stored-send.ts'

type Sent = Pick<StoredSend, 'counts' | 'optedOut' | 'care' | 'judgedFrom'>

/** With fewer outcomes, a single failure would be a large percentage. */
export const minJudged = 20

/** Recipients handed over, without omitted ones. */
export const handedOf = ({ counts }: Pick<Sent, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.omitted - counts.planned

/** The current outcomes. */
export const judgedNow = (send: Sent & { readonly reason?: BlockReason | null }, quality: string | null): Judged => ({
  settled: handedOf(send) - send.counts.queued,
  // Many unconfirmed messages also mean that something is wrong.
  failed: send.counts.failed + send.counts.unconfirmed,
  optedOut: send.optedOut,
  quality,
  knowsMarketing: send.judgedFrom.knowsMarketing === true || send.reason === 'templateRecategorised',
})

/**
 * The limit that a send exceeds, judged by its outcomes since it last began or resumed. Undefined: none, or fewer than
 * `fewest` outcomes. Pure.
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
 * This many unconfirmed messages do not hold up the send: as many as may fail. With more, the connection to WhatsApp is
 * broken and the send waits for their outcome. Pure.
 */
export function maxUnconfirmed(send: Sent): number {
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
/** A person who resumes a send above its limits has seen the outcomes, so judging starts over. */
export const isJudgedAnew = ({
  startedAt,
  state,
  reason,
}: Pick<StoredSend, 'startedAt' | 'state' | 'reason'>): boolean =>
  startedAt === null || state === 'completed' || limitReasons.includes(reason)

/** Recipients of the canary who are not handed over yet. Null: there is no canary, or all were handed over. */
export const leftOfCanary = (send: Sent): number | null => {
  const { canary } = send.care
  if (!canary) return null
  const left = canary.people - handedOf(send)
  return left > 0 ? left : null
}
