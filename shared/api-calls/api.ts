import { type Static, Type } from 'typebox'
import { maxKeysPerOrg } from '#shared/auth/api-keys.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

/** Calls kept per key: this many that succeeded, and this many that failed. */
export const apiCallsKeptPerKey = 500
export const apiCallsKeptDays = 30
export const apiCallsPerPage = 50

const ApiCall = Type.Object({
  id: Type.String(),
  at: Timestamp,
  key: Type.Object({ id: Type.String(), name: Type.String() }),
  method: Type.String(),
  route: Type.String({ description: 'The address without what stood in its places.' }),
  status: Type.Integer(),
  code: Nullable(Type.String({ description: 'Why it was refused; null: it was not.' })),
  message: Nullable(Type.String({ description: 'The same as a sentence, in the language of the caller.' })),
  tookMs: Type.Integer({ description: 'Until the answer had left; of a stream, as long as it was open.' }),
  address: Type.String({ description: 'IP address it came from.' }),
  requestId: Type.String({ description: "The request id, as in the refusal and in the server's log." }),
})
export type ApiCall = Static<typeof ApiCall>

const KeyUse = Type.Object({
  id: Type.String(),
  name: Type.String(),
  calls: Type.Integer({
    minimum: 0,
    maximum: 2 * apiCallsKeptPerKey,
    description: `In the last 24 hours, counted up to ${apiCallsKeptPerKey} that went well and ${apiCallsKeptPerKey} that did not.`,
  }),
  failed: Type.Integer({ minimum: 0, maximum: apiCallsKeptPerKey, description: 'Of these, refused or failed.' }),
  lastAt: Nullable(Timestamp),
})
export type KeyUse = Static<typeof KeyUse>

export const apiCallsApi = {
  getUse: endpoint({
    method: 'GET',
    path: '/organization/api-calls/use',
    access: 'integration:manage',
    reply: Type.Object({
      keys: Type.Array(KeyUse, { maxItems: maxKeysPerOrg, description: 'The key that was used last comes first.' }),
      lastFailure: Nullable(
        Type.Object(
          { at: Timestamp, key: Type.String({ description: 'Its name.' }), message: Type.String() },
          { description: 'Of the last 24 hours; null: every call went well.' },
        ),
      ),
    }),
    summary: "How often the organization's API keys were used in the last 24 hours, and the last error.",
  }),
  listCalls: endpoint({
    method: 'GET',
    path: '/organization/api-calls',
    access: 'integration:manage',
    query: Type.Object(
      {
        key: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of the key.' })),
        errors: Type.Optional(Type.Boolean({ description: 'True: only those that were refused or failed.' })),
        before: Type.Optional(
          Type.String({ pattern: '^[0-9a-z]{24}$', description: 'Id of the last call that is there.' }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      items: Type.Array(ApiCall),
      keys: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
        maxItems: maxKeysPerOrg,
        description: 'Every key there is to choose from, newest first.',
      }),
      hasMore: Type.Boolean(),
    }),
    summary: `Calls made with the organization's API keys, without their bodies, newest first, ${apiCallsPerPage} at a time. Kept for ${apiCallsKeptDays} days: of each key the last ${apiCallsKeptPerKey} that succeeded and the last ${apiCallsKeptPerKey} that failed.`,
  }),
} as const
