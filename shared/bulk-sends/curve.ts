import { type Static, Type } from 'typebox'

export const curveLines = ['sent', 'delivered', 'read', 'replied', 'failed'] as const
export type CurveLine = (typeof curveLines)[number]

const Count = Type.Integer({ minimum: 0 })

export const CurvePoint = Type.Object({
  at: Type.String({ format: 'date-time' }),
  sent: Count,
  delivered: Count,
  read: Count,
  replied: Count,
  failed: Count,
})
export type CurvePoint = Static<typeof CurvePoint>

/** This share of all events counts as nearly all of them. */
const nearlyAll = 0.98

/**
 * The index of the point by which nearly all events had arrived, if showing the rest would take more than half of the
 * time axis. Otherwise that of the last point. `points` are in order, and their figures never fall.
 */
export const endOfMost = (points: readonly CurvePoint[]): number => {
  const last = points.length - 1
  const eventsUntil = (point: CurvePoint | undefined) => curveLines.reduce((sum, line) => sum + (point?.[line] ?? 0), 0)
  const all = eventsUntil(points[last])
  const end = points.findIndex(point => eventsUntil(point) >= all * nearlyAll)
  const timeOf = (i: number) => Date.parse(points[i]?.at ?? '')
  return end > 0 && timeOf(end) - timeOf(0) < (timeOf(last) - timeOf(0)) / 2 ? end : last
}
