import { Type } from 'typebox'
import { flowLimits, type WaitUnit, waitUnitMs } from '../limits.ts'
import type { ContentOf } from './fields.ts'
import type { NodeKind } from './kind.ts'

const ClockTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM.' })
export const waitFields = {
  ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: flowLimits.waitDays * waitUnitMs.days,
      description: "`until` instead: the next time the organization's clock shows it.",
    }),
  ),
  until: Type.Optional(ClockTime),
}
type Wait = ContentOf<typeof waitFields, 'ms'>

const dayMinutes = waitUnitMs.days / waitUnitMs.minutes

/** `ms` in the largest unit in which it is a whole number. */
export const readWait = (ms: number): { amount: number; unit: WaitUnit } => {
  const units = Object.keys(waitUnitMs) as WaitUnit[]
  const unit = units.find(one => ms >= waitUnitMs[one] && ms % waitUnitMs[one] === 0) ?? 'seconds'
  return { amount: ms / waitUnitMs[unit], unit }
}

/** Waits for a duration, or until a time of day. */
export const wait: NodeKind<Wait> = {
  icon: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7v5l3 2',
  tone: 'waits',
  summary({ ms, until }, t) {
    if (until !== undefined) return t('says.until', { time: until })
    const { amount, unit } = readWait(ms)
    return t(`says.wait.${unit}`, { count: amount })
  },
  defaults: { ms: 0 },
  create: () => ({ ms: 5 * waitUnitMs.minutes }),
  waits: true,
  breaksLoops: true,
  uses: ({ until }) => (until === undefined ? {} : { facts: ['timeZone'] }),
  silentMinutes: ({ ms, until }, _, before) =>
    before + (until === undefined ? ms / waitUnitMs.minutes : dayMinutes - 1),
}
