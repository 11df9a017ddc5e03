import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'
import { runFields } from '../runs/runs.ts'
import { ReplayRequest, replayedFields, replayLimits } from './replay.ts'

const closed = { additionalProperties: false } as const
const FlowParams = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the flow.' }) },
  closed,
)

const FlowReplay = Type.Object({
  id: Type.String(),
  state: Type.Enum(['running', 'stopped', 'done']),
  since: Timestamp,
  trigger: Nullable(Type.String({ description: 'Id of the trigger whose sessions are played; null: of any.' })),
  total: Type.Integer({ minimum: 0, description: 'Sessions there are to play.' }),
  done: Type.Integer({ minimum: 0 }),
  counts: Type.Object(
    { same: Type.Integer(), words: Type.Integer(), way: Type.Integer(), end: Type.Integer() },
    { description: 'Of conversations the caller sees.' },
  ),
  startedAt: Timestamp,
  startedBy: Type.String(),
  endedAt: Nullable(Timestamp),
})
export type FlowReplay = Static<typeof FlowReplay>

/** Replays hundreds of earlier sessions' messages on a draft, in the background. Nothing is sent. */
export const flowReplaysApi = {
  begin: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/replay',
    access: 'flow:edit',
    params: FlowParams,
    body: ReplayRequest,
    reply: FlowReplay,
    status: 202,
    refuses: [404],
    summary: `Replays up to ${replayLimits.runs} past sessions with the present draft, newest first. An earlier replay ends.`,
  }),
  get: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/replay',
    access: 'chat:read',
    params: FlowParams,
    reply: Type.Object({ replay: Nullable(FlowReplay) }),
    refuses: [404],
    summary:
      'The last replay of a flow: its progress, and how many sessions would go differently; null if there was none.',
  }),
  listReplayed: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/replay/sessions',
    access: 'chat:read',
    params: FlowParams,
    query: Type.Object(
      {
        after: Type.Optional(Type.Integer({ minimum: 0, description: 'The `next` of the answer before.' })),
        differs: Type.Optional(Type.Boolean({ description: 'True: only those that would go otherwise.' })),
      },
      closed,
    ),
    reply: Type.Object({
      items: Type.Array(Type.Object({ ...runFields, ...replayedFields })),
      next: Nullable(Type.Integer({ description: 'Value of `after` for the next page; null: this is the last page.' })),
    }),
    refuses: [404],
    summary: `Sessions of the last replay, as they were and as they would be, ${replayLimits.atOnce} at a time.`,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/replay/stop',
    access: 'flow:edit',
    params: FlowParams,
    reply: Done,
    refuses: [404],
    summary: 'Stops the replay of a flow. Results so far can still be read.',
  }),
} as const
