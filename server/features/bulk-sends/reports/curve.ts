import type { CurveLine, CurvePoint } from '#shared/bulk-sends/curve.ts'
import type { RecipientState } from '#shared/bulk-sends/states.ts'

export type CurveDelta = Readonly<Record<CurveLine, number>>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Stretches by the time since the start: a curve has about 450 of them at most. */
const stretches = [
  { beforeMs: 2 * hourMs, lengthMs: minuteMs },
  { beforeMs: 2 * dayMs, lengthMs: 15 * minuteMs },
  { beforeMs: 8 * dayMs, lengthMs: hourMs },
] as const
const longestMs = 8 * dayMs

/** The end of the stretch in which something happened. What happens after eight days counts in the last one. */
export function curveEnd(startedAt: string, at: string): string {
  const start = Date.parse(startedAt)
  const ms = Math.min(Math.max(0, Date.parse(at) - start), longestMs - 1)
  const { lengthMs } = stretches.find(({ beforeMs }) => ms < beforeMs) ?? stretches[2]
  return new Date(start + (Math.floor(ms / lengthMs) + 1) * lengthMs).toISOString()
}

/** The change of each line when recipients move between states. A message that was read counts as delivered, too, and one with a reply as read; `curveOf` adds the failed ones to `sent`. */
export function curveDelta(deltas: Readonly<Partial<Record<RecipientState, number>>>): CurveDelta {
  const of = (...states: RecipientState[]) => states.reduce((sum, state) => sum + (deltas[state] ?? 0), 0)
  const replied = of('replied')
  const read = replied + of('read')
  const delivered = read + of('delivered')
  return { sent: delivered + of('sent', 'unconfirmed'), delivered, read, replied, failed: of('failed') }
}

/** A chart of 600 pixels shows no more. */
const pointsShown = 120

/** A curve's running totals from its changes in the order of time, thinned to `pointsShown`. */
export function curveOf(changes: readonly ({ readonly until: string } & CurveDelta)[]): CurvePoint[] {
  const sum = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 }
  const points = changes.map(({ until, sent, delivered, read, replied, failed }) => {
    // Changes from before curves were kept are missing, so that a total could fall below nothing.
    sum.sent = Math.max(0, sum.sent + sent)
    sum.delivered = Math.max(0, sum.delivered + delivered)
    sum.read = Math.max(0, sum.read + read)
    sum.replied = Math.max(0, sum.replied + replied)
    sum.failed = Math.max(0, sum.failed + failed)
    return { at: until, ...sum, sent: sum.sent + sum.failed }
  })
  const step = Math.ceil(points.length / pointsShown)
  // The last point is always shown.
  return points.filter((_, i) => (points.length - 1 - i) % step === 0)
}
