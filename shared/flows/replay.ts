import { type Static, Type } from 'typebox'
import { Nullable } from '#shared/kernel/list.ts'
import { type SimulatedLine, Simulation } from './simulation.ts'

/** All that can be read in a message, line by line. */
export const readIn = ({ text, options, listLabel }: SimulatedLine): string =>
  [text, ...(options ?? []).map(({ title }) => title), listLabel].filter(Boolean).join('\n')

/** A session is deleted so long after its end: before the shortest time for which an organization keeps its messages. */
export const sessionsKeptDays = 89

/** Sessions that are played again: so far back, so many at once, and of all of them at most. */
export const replayLimits = { days: sessionsKeptDays, atOnce: 20, runs: 1000 } as const

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
 * `same`: it says the same · `words`: the same way to the same end, with other words · `way`: another way to the same end
 * · `end`: it ends otherwise. What people ended, such as by taking over, is compared as far as it came.
 */
export const replayVerdicts = ['same', 'words', 'way', 'end'] as const
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
  was: Type.Array(Type.String(), {
    description: 'Of `words`: what its version says to the same, message by message of the flow; else empty.',
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
