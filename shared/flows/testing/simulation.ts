import { type Static, Type } from 'typebox'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { PartId } from '../nodes/fields.ts'

const closed = { additionalProperties: false } as const
const dayMs = 86_400_000

export const simulationLimits = {
  /** The most inputs of a customer in one simulation. */
  inputs: 200,
  /** The most steps of all advances together; the simulation stops there. */
  steps: 300,
  advanceMs: 90 * dayMs,
} as const

/** The customer's next action, or a pause. */
const SimulatedInput = Type.Union([
  Type.Object({ kind: Type.Literal('text'), text: Type.String({ minLength: 1, maxLength: textMaxChars }) }, closed),
  Type.Object(
    {
      kind: Type.Literal('option'),
      nodeId: Type.String({
        pattern: '^([A-Za-z0-9_-]{1,64}@[0-9]{1,7}/)?[A-Za-z0-9_-]{1,40}$',
        description: 'Id of the node that sent it, as in the transcript.',
      }),
      optionId: PartId,
      title: Type.Optional(Type.String({ maxLength: 80, description: 'Its text, in case it no longer exists.' })),
    },
    { ...closed, description: 'A button or a row of a list is tapped.' },
  ),
  Type.Object(
    { kind: Type.Literal('file') },
    { ...closed, description: 'Something that is no text, such as a photo.' },
  ),
  Type.Object(
    { kind: Type.Literal('advance'), ms: Type.Integer({ minimum: 1, maximum: simulationLimits.advanceMs }) },
    { ...closed, description: 'Lets this time pass; what becomes due in it happens.' },
  ),
])
export type SimulatedInput = Static<typeof SimulatedInput>

/** A simulated conversation: the same request with the same `from` always gives the same response. */
export const SimulationRequest = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'A published version; absent: the draft.' }),
    ),
    from: Type.Optional(
      Type.String({
        pattern: '^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,3})?Z$',
        description: 'When it begins, ISO 8601 UTC; absent: now.',
      }),
    ),
    opening: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: textMaxChars,
        description: 'The message of the customer that starts it.',
      }),
    ),
    customer: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String({ maxLength: 200 })),
          phone: Type.Optional(Type.String({ maxLength: 40 })),
          tagIds: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 30 })),
        },
        closed,
      ),
    ),
    isOpen: Type.Optional(
      Type.Boolean({ description: 'Whether the organization attends; absent: as its business hours say.' }),
    ),
    inputs: Type.Array(SimulatedInput, {
      maxItems: simulationLimits.inputs,
      description: 'The conversation so far, from its beginning.',
    }),
  },
  closed,
)
export type SimulationRequest = Static<typeof SimulationRequest>

export const simulationStates = [
  'waitingAnswer',
  'waitingTime',
  'parked',
  'finished',
  'handedOff',
  'left',
  'expired',
  'tooLong',
] as const

const SimulatedLine = Type.Object({
  at: Timestamp,
  by: Type.Enum(['customer', 'flow']),
  text: Type.String({ description: 'Empty: something that is no text.' }),
  nodeId: Nullable(Type.String({ description: 'The node that says it.' })),
  options: Type.Array(
    Type.Object({ id: Type.String(), title: Type.String(), description: Type.Optional(Type.String()) }),
  ),
  listLabel: Nullable(
    Type.String({ description: 'Label of the button that opens the options; null: they are buttons.' }),
  ),
  isRead: Type.Boolean({
    description: 'False: the flow waits for a time or has ended, and a member would read the message.',
  }),
})
export type SimulatedLine = Static<typeof SimulatedLine>

/** The call of a service at a step. */
export const StepCall = Nullable(
  Type.Object(
    {
      status: Nullable(Type.Integer({ description: 'The status of the response; null: there was none.' })),
      ms: Type.Integer({ minimum: 0, description: 'How long it took, with all tries.' }),
      tries: Type.Integer({ minimum: 0 }),
    },
    { description: 'null: no service was called.' },
  ),
)

const SimulatedStep = Type.Object({
  at: Timestamp,
  nodeId: Type.String(),
  input: Nullable(Type.String()),
  output: Nullable(
    Type.String({ description: 'The output at which it continued; null: it stayed, jumped or ended there.' }),
  ),
  why: Nullable(Type.String({ description: 'Why so, as a code.' })),
  changes: Type.Unsafe<Record<string, { before: string | null; after: string }>>({
    type: 'object',
    additionalProperties: true,
    description: 'Variables that changed, with what they were.',
  }),
  call: StepCall,
})
export type SimulatedStep = Static<typeof SimulatedStep>

export const Simulation = Type.Object({
  version: Nullable(Type.Integer({ description: 'null: the draft.' })),
  revision: Type.Integer({ minimum: 0, description: 'Of the draft.' }),
  from: Timestamp,
  now: Timestamp,
  state: Type.Enum(simulationStates, { description: '`tooLong`: it took too many steps and stopped here.' }),
  reason: Nullable(Type.String({ description: 'Why a person has it, as a code.' })),
  dueAt: Nullable(Type.String({ description: 'When it continues by itself, ISO 8601 UTC.' })),
  nodeId: Nullable(Type.String({ description: 'The current node; null: it has ended.' })),
  variables: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: true }),
  tagIds: Type.Array(Type.String()),
  isWindowOpen: Type.Boolean(),
  handoff: Nullable(
    Type.Object({
      teamId: Nullable(Type.String()),
      memberId: Nullable(Type.String()),
      note: Nullable(Type.String({ description: 'For the team.' })),
    }),
  ),
  transcript: Type.Array(SimulatedLine),
  path: Type.Array(Type.String(), { description: 'Ids of the nodes it went through, in their order.' }),
  steps: Type.Array(SimulatedStep),
})
export type Simulation = Static<typeof Simulation>
