import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Timestamp } from '#shared/kernel/list.ts'

export const maxFlowSecrets = 50
export const secretLimits = { name: 40, host: 253, minChars: 4, value: 2000 } as const

const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', description: 'Steps name it as {{secret.NAME}}.' })
const Host = Type.String({
  minLength: 1,
  maxLength: secretLimits.host,
  description: 'The one host it is sent to: `api.example.com`.',
})
const Value = Type.String({
  minLength: secretLimits.minChars,
  maxLength: secretLimits.value,
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
  description: 'Shown never again.',
})
const closed = { additionalProperties: false } as const
const SecretParams = Type.Object({ name: Name }, closed)

const FlowSecret = Type.Object({
  name: Type.String(),
  host: Type.String(),
  changedAt: Timestamp,
  changedBy: Type.String(),
  usedBy: Type.Array(
    Type.Object({
      flowId: Type.String(),
      name: Type.String(),
      isPublished: Type.Boolean({ description: 'True: the published version uses it; false: only the draft does.' }),
    }),
  ),
})
export type FlowSecret = Static<typeof FlowSecret>

/** Secrets for calling other services. A secret is written once, sent only to its host, and can never be read. */
export const flowSecretsApi = {
  listSecrets: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-secrets',
    access: 'flow:edit',
    reply: Type.Object({ items: Type.Array(FlowSecret) }),
    summary: 'The names of the secrets for flows, and which flows use them; never their values.',
  }),
  createSecret: endpoint({
    method: 'POST',
    path: '/whatsapp/flow-secrets',
    access: 'connection:manage',
    body: Type.Object({ name: Name, host: Host, value: Value }, closed),
    reply: FlowSecret,
    status: 201,
    refuses: [409],
    summary: `Stores a secret for flows, encrypted; ${maxFlowSecrets} at most.`,
  }),
  replaceSecret: endpoint({
    method: 'PUT',
    path: '/whatsapp/flow-secrets/:name',
    access: 'connection:manage',
    params: SecretParams,
    body: Type.Object({ host: Host, value: Value }, closed),
    reply: FlowSecret,
    refuses: [404],
    summary: 'Replaces the value of a secret, from the next call on.',
  }),
  deleteSecret: endpoint({
    method: 'DELETE',
    path: '/whatsapp/flow-secrets/:name',
    access: 'connection:manage',
    params: SecretParams,
    reply: Done,
    refuses: [404, 409],
    summary: 'Deletes a secret; refused while a published flow names it.',
  }),
} as const
