import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

/** Why a call had no useful answer. `token`: ours was not accepted · `misfit`: the answer does not fit the contract. */
const upstreamFailures = ['unreachable', 'timeout', 'misfit', 'error', 'token'] as const
export type UpstreamFailure = (typeof upstreamFailures)[number]

const UpstreamCall = Type.Object({
  call: Type.String({ description: 'Method and path, such as `GET /whatsapp/conversations`.' }),
  count: Type.Integer({ minimum: 0 }),
  failures: Type.Integer({ minimum: 0 }),
  tookMs: Nullable(Type.Integer({ description: 'Of the last answer.' })),
  resting: Type.Boolean({ description: 'True: it failed several times in a row and is left alone for some seconds.' }),
  lastFailure: Nullable(
    Type.Object({
      at: Timestamp,
      reason: Type.Enum(upstreamFailures),
      detail: Type.String({ description: 'The field that does not fit, or the status.' }),
    }),
  ),
})
export type UpstreamCall = Static<typeof UpstreamCall>

/** The stream of events that is read from it. Null: it posts its events, or the stream was never opened. */
const UpstreamStream = Type.Object({
  state: Type.Enum(['open', 'waiting', 'absent'], {
    description: '`waiting`: it is opened again soon. `absent`: the product API does not serve it.',
  }),
  since: Timestamp,
  detail: Nullable(Type.String({ description: 'Why it is not open, such as a status.' })),
  refused: Type.Integer({ minimum: 0, description: 'Events that did not fit and were skipped.' }),
  refusedField: Nullable(Type.String({ description: 'The field of the last of them that does not fit.' })),
})
export type UpstreamStream = Static<typeof UpstreamStream>

/** The product API that answers instead of our database. */
export const upstreamApi = {
  getUpstream: endpoint({
    method: 'GET',
    path: '/organization/upstream',
    access: 'integration:manage',
    reply: Type.Object({
      address: Nullable(Type.String({ description: 'Null: our database answers.' })),
      lastEventAt: Nullable(Timestamp),
      stream: Nullable(UpstreamStream),
      calls: Type.Array(UpstreamCall, {
        description: "The organization's calls since this process started, those that failed most first.",
      }),
    }),
    summary: 'The state of the product API behind this installation, if there is one.',
  }),
} as const
