import { type Static, Type } from 'typebox'
import { Nullable } from '#shared/kernel/list.ts'
import { type SimulatedLine, Simulation } from './simulation.ts'

/** All text a message shows, line by line. */
export const readIn = ({ text, options, listLabel }: SimulatedLine): string =>
  [text, ...(options ?? []).map(({ title }) => title), listLabel].filter(Boolean).join('\n')

/** A session is deleted this long after its end: before the shortest retention time of messages. */
export const sessionsKeptDays = 89

/** The sessions that are replayed: up to this age, this many per commit, and this many in total. */
export const replayLimits = { days: sessionsKeptDays, atOnce: 20, runs: 1000 } as const

export const ReplayRequest = Type.Object(
  {
    days: Type.Integer({ minimum: 1, maximum: replayLimits.days, description: 'Sessions that began since.' }),
    trigger: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Only sessions that this trigger started; absent: all.',
      }),
    ),
  },
  { additionalProperties: false },
)

/**
 * `same`: the same texts · `words`: the same path and end with other texts · `way`: another path to the same end ·
 * `end`: another end. A session ended by a member is compared up to that point.
 */
export const replayVerdicts = ['same', 'words', 'way', 'end'] as const
export type ReplayVerdict = (typeof replayVerdicts)[number]

/** A session as it was and as it would be. */
export const replayedFields = {
  verdict: Type.Enum(replayVerdicts),
  /** The result on the draft. */
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
