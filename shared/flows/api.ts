import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { flowLimits } from './limits.ts'
import { PartId } from './nodes/fields.ts'
import { flowRunsCalls } from './runs/runs.ts'
import { Simulation, SimulationRequest, StepCall } from './testing/simulation.ts'
import { flowMatchCalls } from './triggers/match.ts'
import { variableMaxChars } from './variables.ts'
import { WireGraph, WireTrigger } from './wire.ts'

/** The most flows of an organization. */
export const maxFlows = 300
export const flowsPerPage = 50
/** The most variables of live flows that the list contains: per flow, and in total. */
export const maxVariablesListed = { ofOne: 200, ofAll: 5000 } as const
const versionNoteMaxChars = 500
export const versionsPerPage = 50
/** A flow of the most nodes with texts of a usual length. */
const graphBytes = 1024 * 1024
const graphValues = 20_000

/** `live`: published and enabled · `paused`: disabled, but running sessions continue. */
const flowStates = ['draft', 'live', 'paused'] as const

const FlowId = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a flow.' })
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

// Not validated in responses, because it was on input: a union would be tried branch by branch for each node.
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
  hasChanges: Type.Boolean({
    description:
      "True: publishing the draft would change what customers get. The flow's name, positions, colours and notes do not count.",
  }),
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
/** `triggers`: the published ones of a live flow, otherwise the draft's; shortened to the first triggers and words. */
const FlowSummary = Type.Object(summary)
export type FlowSummary = Static<typeof FlowSummary>

const FlowName = Type.Object({ id: Type.String(), name: Type.String(), state: Type.Enum(flowStates) })
export type FlowName = Static<typeof FlowName>

const LiveFlow = Type.Object({
  id: Type.String(),
  isDefault: Type.Boolean({ description: 'True: it answers messages that no other flow answers.' }),
  calls: Type.Array(Type.String(), { description: 'Flows that it runs.' }),
  variables: Type.Array(Type.String(), {
    description: `Variables that it sets: the first ${maxVariablesListed.ofOne}, and ${maxVariablesListed.ofAll} of all flows together.`,
  }),
})
export type LiveFlowShown = Static<typeof LiveFlow>

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

const closed = { additionalProperties: false } as const

/** Automatic answers: drafts, published versions, and triggers that start them. */
export const flowsApi = {
  list: endpoint({
    method: 'GET',
    path: '/whatsapp/flows',
    access: 'chat:read',
    query: Type.Object({ page: Type.Optional(PageNumber) }, closed),
    reply: pageOf(FlowSummary),
    summary:
      "The organization's flows, in the order in which their triggers are checked. Triggers are shortened to the first ones.",
  }),
  listNames: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-names',
    access: 'chat:read',
    reply: Type.Object({ items: Type.Array(FlowName) }),
    summary: `The names of all flows, ${maxFlows} at most, in the order in which their triggers are checked.`,
  }),
  listLive: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-calls',
    access: 'chat:read',
    reply: Type.Object({ items: Type.Array(LiveFlow) }),
    summary: 'For each live flow, the flows that it calls and the variables that it sets.',
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
    summary: 'Creates a flow as a draft, last in the order. Without a graph it only has a start.',
  }),
  get: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id',
    access: 'chat:read',
    params: FlowParams,
    reply: Flow,
    refuses: [404],
    summary: 'One flow with its draft.',
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
    summary: 'Saves the draft. Customers notice nothing until it is published. Refused if somebody has saved it since.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/whatsapp/flows/:id',
    access: 'flow:edit',
    params: FlowParams,
    query: Type.Object(
      {
        endSessions: Type.Optional(
          Type.Boolean({ description: 'True: ends the sessions of customers who are in the flow.' }),
        ),
      },
      closed,
    ),
    reply: Done,
    refuses: [404, 409],
    summary: 'Deletes a flow. While sessions are running, only with `endSessions`.',
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
      'Publishes the draft as the version that customers get, and turns the flow on. Running sessions stay in their version. Without changes, it only adds a version with a note.',
  }),
  pause: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/pause',
    access: 'flow:edit',
    params: FlowParams,
    body: Type.Object(
      { paused: Type.Optional(Type.Boolean({ description: 'Absent: true; false: resumes it.' })) },
      closed,
    ),
    reply: Flow,
    refuses: [404, 409, 422],
    summary: 'Pauses a flow. It starts for nobody; running sessions continue.',
  }),
  order: endpoint({
    method: 'PUT',
    path: '/whatsapp/flow-order',
    access: 'flow:edit',
    body: Type.Object({ ids: Type.Array(FlowId, { maxItems: maxFlows }) }, closed),
    reply: Done,
    refuses: [404],
    summary: 'Sets the order in which triggers are checked: these flows first.',
  }),
  listVersions: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/versions',
    access: 'chat:read',
    params: FlowParams,
    query: Type.Object({ page: Type.Optional(PageNumber) }, closed),
    reply: pageOf(Type.Object(version)),
    refuses: [404],
    summary: 'The published versions of a flow, newest first.',
  }),
  getVersion: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/versions/:version',
    access: 'chat:read',
    params: VersionParams,
    reply: FlowVersion,
    refuses: [404],
    summary: 'One published version of a flow.',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/versions/:version/restore',
    access: 'flow:edit',
    params: VersionParams,
    body: Type.Object({ revision: Revision }, closed),
    reply: Flow,
    refuses: [404, 409],
    summary: 'Makes a published version the draft again. Customers notice nothing until it is published.',
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
    summary: 'Simulates a conversation with a flow, with the real engine and a clock of its own. Nothing is sent.',
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
            description: 'Values of variables by name, as if customers had given them.',
          }),
        ),
      },
      closed,
    ),
    reply: Type.Object({
      why: Type.String({ description: 'How it went, as a code.' }),
      output: Type.String({ description: 'The output at which a customer would continue.' }),
      call: StepCall,
      text: Nullable(Type.String({ description: 'The beginning of the response; null: there was none.' })),
      values: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: true }),
    }),
    refuses: [404, 422],
    summary: 'Makes the HTTP call of a step of the draft once, for real. Nothing is sent to customers.',
  }),
  ...flowRunsCalls,
  ...flowMatchCalls,
} as const
