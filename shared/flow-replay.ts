import { type Static, Type } from 'typebox'
import { Simulation } from './flow-simulation.ts'
import { Nullable } from './list.ts'

/** Sessions that are played again: so far back, so many at once, and of all of them at most. */
export const replayLimits = { days: 90, atOnce: 20, runs: 1000 } as const

export const ReplayRequest = Type.Object(
  {
    days: Type.Integer({ minimum: 1, maximum: replayLimits.days, description: 'Sessions that began since.' }),
    trigger: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Those alone that this trigger began; absent: all.' }),
    ),
  },
  { additionalProperties: false },
)

/**
 * `same`: it goes the same way to the same end · `way`: another way to the same end · `end`: it ends otherwise. What
 * people ended, such as by taking over, is compared as far as it came.
 */
export const replayVerdicts = ['same', 'way', 'end'] as const
export type ReplayVerdict = (typeof replayVerdicts)[number]

/** A session as it was and as it would be. */
export const replayedFields = {
  verdict: Type.Enum(replayVerdicts),
  /** Of the draft. */
  would: Type.Object({
    state: Simulation.properties.state,
    reason: Simulation.properties.reason,
    transcript: Simulation.properties.transcript,
  }),
  parting: Nullable(
    Type.Object(
      { was: Nullable(Type.String()), would: Nullable(Type.String()) },
      { description: 'Ids of the first nodes that are not the same; null: it was, or would be, over.' },
    ),
  ),
}
const Replayed = Type.Object(replayedFields)
export type Replayed = Static<typeof Replayed>
