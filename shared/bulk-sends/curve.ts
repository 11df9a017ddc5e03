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
