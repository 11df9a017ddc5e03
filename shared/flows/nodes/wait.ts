import { Type } from 'typebox'
import { flowLimits, waitUnitMs } from '#shared/flows/limits.ts'
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

/** Waits for a duration, or until a time of day. */
export const wait: NodeKind<Wait> = {
  defaults: { ms: 0 },
  create: () => ({ ms: 5 * waitUnitMs.minutes }),
  waits: true,
  breaksLoops: true,
  uses: ({ until }) => (until === undefined ? {} : { facts: ['timeZone'] }),
  silentMinutes: ({ ms, until }, _, before) =>
    before + (until === undefined ? ms / waitUnitMs.minutes : dayMinutes - 1),
}
