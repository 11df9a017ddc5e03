import { type Static, Type } from 'typebox'
import { ChatAddress } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { Done, Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { flowLimits } from './limits.ts'
import { PartId } from './nodes/fields.ts'
import { answerers } from './precedence.ts'
import { Simulation, SimulationRequest, StepCall } from './simulation.ts'
import { triggerRefusals } from './triggers.ts'
import { variableMaxChars } from './variables.ts'
import { WireGraph, type WireNode, WireTrigger } from './wire.ts'

/** So many flows an organization may have. */
export const maxFlows = 300
export const flowsPerPage = 50
/** Of the variables that live flows set, in the answer that lists them: of one flow, and of all. */
export const mostVariablesListed = { ofOne: 200, ofAll: 5000 } as const
/** Triggers that the answer of a match gives a reason for. */
export const mostRefusalsListed = 50
const versionNoteMaxChars = 500
export const versionsPerPage = 50
export const runsPerPage = 30
/** Of a session's timeline. */
export const mostStepsShown = 500
/** Of each value in it, in UTF-16 code units. */
export const shownValueMaxChars = 500
/** Sessions by which the figures of a flow's nodes are counted, and their steps. */
export const mostRunsCounted = 1000
export const mostStepsCounted = 20_000
/** Of these the answers, of which it is looked at how long they took. */
export const mostAnswersTimed = 5000
/** A flow of the most nodes with texts of a usual length. */
const graphBytes = 1024 * 1024
const graphValues = 20_000

/** `live`: published and switched on · `paused`: switched off, who is in it goes on. */
const flowStates = ['draft', 'live', 'paused'] as const

/**
 * `waitingAnswer`, `waitingTime`, `waitingCall`: under way · `parked`: under way too, it has something to say and WhatsApp's
 * window is closed; it goes on when the customer writes · the others are over. `finished`: it came to an end · `handedOff`: to a
 * person · `taken`: a person took over · `left`: the customer wrote a word to leave · `expired`: no answer for long ·
 * `restarted`: the customer wrote a word to begin again · `stopped`: its flow was deleted, or the conversation archived.
 */
const sessionStates = [
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

const FlowId = Type.String({ minLength: 1, maxLength: 64 })
const FlowParams = Type.Object({ id: FlowId }, { additionalProperties: false })
const VersionParams = Type.Object(
  { id: FlowId, version: Type.Integer({ minimum: 1, maximum: 1_000_000 }) },
  { additionalProperties: false },
)
const Name = Type.String({ minLength: 1, maxLength: flowLimits.name, pattern: '\\S' })
const Triggers = Type.Array(WireTrigger, { maxItems: flowLimits.triggers })
const Revision = Type.Integer({
  minimum: 0,
  description: 'One more with each save; a save names the one it began from.',
})

// What leaves was checked when it came in: a union would be tried branch by branch for each node.
const ShownGraph = Type.Unsafe<WireGraph>({
  type: 'object',
  additionalProperties: true,
  description:
    "React Flow's own shape: nodes with `position` and `data`, edges with `source`, `sourceHandle` and `target`.",
})
const ShownTriggers = Type.Unsafe<WireTrigger[]>({
  type: 'array',
  items: { type: 'object', additionalProperties: true },
})

const summary = {
  id: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean({ description: 'Published and switched on.' }),
  state: Type.Enum(flowStates),
  hasChanges: Type.Boolean({ description: 'What is drawn is not what was published last.' }),
  revision: Revision,
  published: Nullable(
    Type.Object({ version: Type.Integer(), at: Timestamp }, { description: 'The published version; null: none yet.' }),
  ),
  triggers: ShownTriggers,
  limitedAt: Nullable(
    Type.String({
      description:
        'When something of the published version first cost more than a flow may: that counted as not fitting. null: nothing has.',
    }),
  ),
  editedAt: Timestamp,
  editedBy: Type.String(),
  week: Type.Object(
    {
      started: Type.Integer({ minimum: 0 }),
      finished: Type.Integer({ minimum: 0 }),
      handedOff: Type.Integer({ minimum: 0 }),
    },
    { description: 'Sessions of the last seven days that began, came to an end, and went to a person.' },
  ),
}
/** `triggers`: of a live flow the published ones, else those of the draft; the first of them and of their words, shortened. */
const FlowSummary = Type.Object(summary)
export type FlowSummary = Static<typeof FlowSummary>

const FlowName = Type.Object({ id: Type.String(), name: Type.String(), state: Type.Enum(flowStates) })
export type FlowName = Static<typeof FlowName>

const LiveFlow = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean({ description: 'It answers what no other flow answers.' }),
  calls: Type.Array(Type.String(), { description: 'Flows that it runs.' }),
  variables: Type.Array(Type.String(), {
    description: `Variables that it sets: the first ${mostVariablesListed.ofOne}, and ${mostVariablesListed.ofAll} of all flows together.`,
  }),
})
export type LiveFlowShown = Static<typeof LiveFlow>

/** A flow as it is drawn. */
export const Flow = Type.Object({ ...summary, graph: ShownGraph })
export type Flow = Static<typeof Flow>

const version = {
  version: Type.Integer(),
  name: Type.String(),
  note: Nullable(Type.String()),
  publishedAt: Timestamp,
  by: Type.String(),
}
const FlowVersion = Type.Object({ ...version, graph: ShownGraph, triggers: ShownTriggers })

const AskedTrigger = {
  flowId: Type.String(),
  triggerId: Type.String(),
  trigger: Type.Unsafe<WireTrigger>({ type: 'object', additionalProperties: true, description: 'Shortened.' }),
}
/** Who would answer a message, which flow it would start, and of the first other triggers why they do not. */
const FlowMatch = Type.Object({
  by: Type.Enum(answerers, {
    description:
      '`held`: the person who has the chat · `optWord`: the product, to a word to opt out of marketing or back in · `personWord`: a person, asked for by a word · `session`: the flow they are in · `flow`: the one that begins · `closed`: what is said out of hours · `nobody`: it waits for a person.',
  }),
  chosen: Nullable(Type.Object(AskedTrigger)),
  others: Type.Array(Type.Object({ ...AskedTrigger, why: Type.Enum(triggerRefusals) }), {
    description: `The first ${mostRefusalsListed}, in the order in which triggers are asked; those that fit come first.`,
  }),
  moreOthers: Type.Integer({ minimum: 0, description: 'Other triggers that are not listed.' }),
})

const closed = { additionalProperties: false } as const

/** Of a session as it is listed. */
export const runFields = {
  id: Type.String(),
  flowId: Type.String(),
  version: Type.Integer({ description: 'It stays on the version it began on; 0: a draft that somebody tried.' }),
  isTest: Type.Boolean({ description: 'Its author tried it on their own telephone: it counts in no figures.' }),
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
  flowName: Type.String({ description: 'As it was called in this version.' }),
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
      output: Nullable(Type.String({ description: 'Where it went on; null: it stayed, jumped or ended there.' })),
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

/** What answers by itself: drawn as drafts, published as versions, started by triggers. */
export const flowsApi = {
  list: endpoint({
    method: 'GET',
    path: '/whatsapp/flows',
    access: 'chat:read',
    query: Type.Object({ page: Type.Optional(PageNumber) }, closed),
    reply: pageOf(FlowSummary),
    summary:
      "The organization's flows, in the order in which their triggers are asked. Of their triggers it has the first ones, shortened.",
  }),
  listNames: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-names',
    access: 'chat:read',
    reply: Type.Object({ items: Type.Array(FlowName) }),
    summary: `What all flows are called, ${maxFlows} at most, in the order in which their triggers are asked.`,
  }),
  listLive: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-calls',
    access: 'chat:read',
    reply: Type.Object({ items: Type.Array(LiveFlow) }),
    summary: 'Of each live flow, which flows it runs and which variables it sets.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/whatsapp/flows',
    access: 'flow:edit',
    body: Type.Object({ name: Name, graph: Type.Optional(WireGraph), triggers: Type.Optional(Triggers) }, closed),
    bodyLimit: graphBytes,
    bodyValues: graphValues,
    reply: Flow,
    status: 201,
    idempotent: true,
    refuses: [409],
    summary: 'Creates a draft, at the end of the order; without a graph, one that only starts.',
  }),
  get: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id',
    access: 'chat:read',
    params: FlowParams,
    reply: Flow,
    refuses: [404],
    summary: 'A flow as it is drawn.',
  }),
  save: endpoint({
    method: 'PUT',
    path: '/whatsapp/flows/:id',
    access: 'flow:edit',
    params: FlowParams,
    body: Type.Object(
      {
        revision: Revision,
        name: Type.Optional(Name),
        graph: Type.Optional(WireGraph),
        triggers: Type.Optional(Triggers),
      },
      closed,
    ),
    bodyLimit: graphBytes,
    bodyValues: graphValues,
    reply: Flow,
    refuses: [404, 409],
    summary: 'Saves the draft, of which nobody notices before it is published. Refused if somebody saved since.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/whatsapp/flows/:id',
    access: 'flow:edit',
    params: FlowParams,
    query: Type.Object(
      { endSessions: Type.Optional(Type.Boolean({ description: 'True: whoever is in it is let go.' })) },
      closed,
    ),
    reply: Done,
    refuses: [404, 409],
    summary: 'Deletes a flow; while somebody is in it, only with `endSessions`.',
  }),
  publish: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/publish',
    access: 'flow:edit',
    params: FlowParams,
    body: Type.Object(
      {
        revision: Type.Optional(Type.Integer({ minimum: 0, description: 'Refused if the draft is another by now.' })),
        note: Type.Optional(Type.String({ maxLength: versionNoteMaxChars })),
      },
      closed,
    ),
    reply: Flow,
    refuses: [404, 409, 422],
    summary:
      'Makes the draft the version that customers get, and switches it on. Who is in an older one stays there. Nothing drawn since, it makes one with a note only.',
  }),
  pause: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/pause',
    access: 'flow:edit',
    params: FlowParams,
    body: Type.Object({ paused: Type.Optional(Type.Boolean({ description: 'Absent: true; false goes on.' })) }, closed),
    reply: Flow,
    refuses: [404, 409, 422],
    summary: 'Nobody enters it any more, or again; who is in it goes on.',
  }),
  order: endpoint({
    method: 'PUT',
    path: '/whatsapp/flow-order',
    access: 'flow:edit',
    body: Type.Object({ ids: Type.Array(FlowId, { maxItems: maxFlows }) }, closed),
    reply: Done,
    refuses: [404],
    summary: 'Puts these flows first, in this order.',
  }),
  listVersions: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/versions',
    access: 'chat:read',
    params: FlowParams,
    query: Type.Object({ page: Type.Optional(PageNumber) }, closed),
    reply: pageOf(Type.Object(version)),
    refuses: [404],
    summary: 'What was published, newest first.',
  }),
  getVersion: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/versions/:version',
    access: 'chat:read',
    params: VersionParams,
    reply: FlowVersion,
    refuses: [404],
    summary: 'A version as it was published.',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/versions/:version/restore',
    access: 'flow:edit',
    params: VersionParams,
    body: Type.Object({ revision: Revision }, closed),
    reply: Flow,
    refuses: [404, 409],
    summary: 'Makes a version the draft again; nobody notices before it is published.',
  }),
  simulate: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/simulate',
    access: 'chat:read',
    params: FlowParams,
    body: SimulationRequest,
    bodyValues: 2000,
    reply: Simulation,
    refuses: [404],
    summary:
      'Plays a conversation on a flow by a clock of its own, with the engine that customers get. Nothing is sent.',
  }),
  call: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/call',
    access: 'flow:edit',
    params: FlowParams,
    body: Type.Object(
      {
        nodeId: PartId,
        variables: Type.Optional(
          Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: variableMaxChars }), {
            maxProperties: 60,
            description: 'As if customers had said so, by the names of variables.',
          }),
        ),
      },
      closed,
    ),
    reply: Type.Object({
      why: Type.String({ description: 'How it went, as a code.' }),
      output: Type.String({ description: 'Where a customer would go on.' }),
      call: StepCall,
      text: Nullable(Type.String({ description: 'What was answered, its beginning; null: nothing was.' })),
      values: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: true }),
    }),
    refuses: [404, 422],
    summary: 'Calls the service that a step of the draft names, for real and once. Nothing is sent to customers.',
  }),
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
      'Starts a live flow in a conversation, whoever has it; the customer is in no other flow. While the window is closed it has to begin with a template.',
  }),
  listRuns: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/runs',
    access: 'chat:read',
    params: FlowParams,
    query: Type.Object({ page: Type.Optional(PageNumber) }, closed),
    reply: pageOf(FlowRun),
    refuses: [404],
    summary: 'Who was in a flow, newest first: sessions of conversations the caller sees.',
  }),
  getRun: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-runs/:id',
    access: 'chat:read',
    params: FlowParams,
    reply: FlowRunSteps,
    refuses: [404],
    summary: 'A session step by step: what came in, which branch and why, what was said, which variables changed.',
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
    summary: 'Which flow attends a chat now, by the name it has today; null: none does.',
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
    summary: 'Which flow said a message, in which session and at which step.',
  }),
  figures: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/figures',
    access: 'chat:read',
    params: FlowParams,
    reply: Type.Object({
      runs: Type.Integer({
        minimum: 0,
        description: `Sessions that are counted: the last ones, ${mostRunsCounted} at most.`,
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
    summary: 'How many customers came to each node of a flow, where they went on, and where they gave up.',
  }),
  match: endpoint({
    method: 'POST',
    path: '/whatsapp/flow-match',
    access: 'chat:read',
    body: Type.Object(
      {
        text: Type.String({ maxLength: textMaxChars }),
        tappedId: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
        isFirst: Type.Optional(Type.Boolean({ description: 'They never wrote before.' })),
        silentHours: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
        wasArchived: Type.Optional(Type.Boolean({ description: 'The conversation was archived.' })),
        isOpen: Type.Optional(Type.Boolean({ description: 'Inside or outside business hours; absent: as it is now.' })),
        attendedBy: Type.Optional(
          Type.Enum(['person', 'flow'], { description: 'Who has the chat: a person, or a flow that they are in.' }),
        ),
        flowsBefore: Type.Optional(
          Type.Array(Type.String({ maxLength: 64 }), { maxItems: 30, description: 'Flows that they have been in.' }),
        ),
        ad: Type.Optional(
          Type.Object(
            { id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "Meta's id of it." })) },
            { ...closed, description: 'It comes from an advertisement.' },
          ),
        ),
        answers: Type.Optional(
          Type.Object(
            { sendId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
            { ...closed, description: 'It is the first word since a bulk send.' },
          ),
        ),
        tagIds: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 30 })),
        draftId: Type.Optional(
          Type.String({ maxLength: 64, description: 'Of this flow the draft counts, as if it were published.' }),
        ),
      },
      closed,
    ),
    reply: FlowMatch,
    refuses: [404],
    summary:
      'Who would answer a message if it came now, which flow it would start, and why no other one. Nothing is sent.',
  }),
} as const
