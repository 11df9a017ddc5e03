import { type Static, Type } from 'typebox'
import { ChatAddress } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { StepCall } from '../testing/simulation.ts'
import type { WireNode, WireTrigger } from '../wire.ts'
import { countedAtStep, countedRuns, maxRunsCounted } from './limits.ts'

export const runsPerPage = 30
/** The steps of a session's timeline. */
export const maxStepsShown = 500
/** The length of each value in it, in UTF-16 code units. */
export const shownValueMaxChars = 500

/**
 * `waitingAnswer`, `waitingTime`, `waitingCall`: under way · `parked`: under way too, it has something to say and WhatsApp's
 * window is closed; it goes on when the customer writes · the others are over. `finished`: it came to an end · `handedOff`: to a
 * person · `taken`: a person took over · `left`: the customer wrote a word to leave · `expired`: no answer for long ·
 * `restarted`: the customer wrote a word to begin again · `stopped`: its flow was deleted, or the conversation archived.
 */
export const sessionStates = [
  'waitingAnswer',
  'waitingTime',
  'waitingCall',
  'parked',
  'finished',
  'handedOff',
  'taken',
  'left',
  'expired',
  'restarted',
  'stopped',
] as const
export type SessionState = (typeof sessionStates)[number]

const closed = { additionalProperties: false } as const
const FlowParams = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the flow.' }) },
  closed,
)

const At = Type.String({ format: 'date-time', maxLength: 40 })

/** The fields of a session as it is listed. */
export const runFields = {
  id: Type.String(),
  flowId: Type.String(),
  version: Type.Integer({ description: 'The version it started with, which it keeps; 0: a draft under test.' }),
  isTest: Type.Boolean({ description: "True: a test on a member's own phone, which no figure counts." }),
  conversationId: Type.String(),
  trigger: Type.String({
    description: 'Id of the trigger; `manual` where somebody started it, `test` where its author tries it.',
  }),
  state: Type.Enum(sessionStates),
  reason: Nullable(Type.String({ description: 'Why it was handed off, as a code.' })),
  steps: Type.Integer({ minimum: 0 }),
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp),
  contact: Nullable(
    Type.Object(
      { name: Type.String(), phone: Type.String({ description: 'The address of its chat.' }) },
      { description: 'null: the conversation is not there any more.' },
    ),
  ),
}
const FlowRun = Type.Object(runFields)
export type FlowRun = Static<typeof FlowRun>
const FlowRunSteps = Type.Object({
  ...runFields,
  flowName: Type.String({ description: 'Its name in this version.' }),
  isDeleted: Type.Boolean({ description: 'The flow is not there any more.' }),
  beganBy: Nullable(
    Type.Unsafe<WireTrigger>({
      type: 'object',
      additionalProperties: true,
      description: 'The trigger, as it was in this version; null: a person began it, or it is a test.',
    }),
  ),
  nodes: Type.Unsafe<WireNode[]>({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The nodes it went through, as they were drawn in this version.',
  }),
  timeline: Type.Array(
    Type.Object({
      place: Type.Integer({ minimum: 1 }),
      nodeId: Type.String(),
      at: Timestamp,
      input: Nullable(
        Type.String({ description: `What the customer wrote, cut to ${shownValueMaxChars} characters.` }),
      ),
      output: Nullable(
        Type.String({ description: 'The output at which it continued; null: it stayed, jumped or ended there.' }),
      ),
      why: Nullable(Type.String({ description: 'Why so, as a code.' })),
      changes: Type.Unsafe<Record<string, { before: string | null; after: string }>>({
        type: 'object',
        additionalProperties: true,
        description: `Variables that changed, with what they were, each cut to ${shownValueMaxChars} characters.`,
      }),
      messageId: Nullable(Type.String({ description: 'What was said.' })),
      call: StepCall,
    }),
  ),
})

/** Sessions of customers in flows; a part of `flowsApi`. */
export const flowRunsCalls = {
  start: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/start',
    access: 'chat:reply',
    params: FlowParams,
    body: Type.Object({ phone: ChatAddress }, closed),
    reply: FlowRun,
    status: 201,
    refuses: [404, 409],
    summary:
      'Starts a live flow in a conversation, whether or not somebody is assigned. The customer must not be in another flow. While the window is closed, the flow must begin with a template.',
  }),
  listRuns: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/runs',
    access: 'chat:read',
    params: FlowParams,
    query: Type.Object(
      {
        page: Type.Optional(PageNumber),
        counted: Type.Optional(Type.Enum([...countedRuns, ...countedAtStep])),
        step: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'Id of a node, for `reached` and `gaveUp`.' }),
        ),
        since: Type.Optional(At),
        until: Type.Optional(At),
      },
      closed,
    ),
    reply: pageOf(FlowRun),
    refuses: [404],
    summary:
      'Sessions of a flow in conversations that the caller may see, newest first. With `counted`: those that this figure of the statistics counts, with `since` and `until` (excluded). `reached` and `gaveUp`: recent sessions that came to `step`, or ended there without an end of the flow.',
  }),
  getRun: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-runs/:id',
    access: 'chat:read',
    params: FlowParams,
    reply: FlowRunSteps,
    refuses: [404],
    summary:
      'One session step by step: what the customer wrote, the branch taken and why, what was sent, which variables changed.',
  }),
  attending: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/flow',
    access: 'chat:read',
    params: Type.Object({ phone: ChatAddress }, closed),
    reply: Type.Object({
      session: Nullable(
        Type.Object({
          id: Type.String(),
          flowId: Type.String(),
          name: Type.String(),
          state: Type.Enum(sessionStates),
          startedAt: Timestamp,
        }),
      ),
    }),
    refuses: [404],
    summary: 'The flow that is running in a chat, by its present name; null if none is.',
  }),
  explain: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-messages/:id',
    access: 'chat:read',
    params: FlowParams,
    reply: Type.Object({
      ...runFields,
      place: Type.Integer({ minimum: 1, description: 'Of the step that said it, in the timeline of the session.' }),
    }),
    refuses: [404],
    summary: 'Which flow sent a message, in which session and step.',
  }),
  figures: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/figures',
    access: 'chat:read',
    params: FlowParams,
    reply: Type.Object({
      runs: Type.Integer({
        minimum: 0,
        description: `Sessions that are counted: the last ones, ${maxRunsCounted} at most.`,
      }),
      nodes: Type.Array(
        Type.Object({
          nodeId: Type.String(),
          entered: Type.Integer({ minimum: 0 }),
          here: Type.Integer({ minimum: 0, description: 'Sessions that wait there now.' }),
          gaveUp: Type.Integer({
            minimum: 0,
            description: 'Sessions that ended there without the flow saying so: expired, left, taken over, failed.',
          }),
          outputs: Type.Array(Type.Object({ output: Type.String(), count: Type.Integer({ minimum: 1 }) })),
          medianMs: Nullable(
            Type.Integer({
              minimum: 0,
              description: 'How long customers took to answer, the middle one; null: none has.',
            }),
          ),
        }),
      ),
    }),
    refuses: [404],
    summary: 'How many customers reached each node of a flow, where they continued, and where they gave up.',
  }),
} as const
