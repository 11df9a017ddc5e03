import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { variableMaxChars } from '../variables.ts'
import { triggerLimits } from './triggers.ts'

/** The most sessions that one flow's address may start per minute. */
export const hookCallsPerMinute = 600
/** The size limit of one call: every variable at its longest, plus JSON syntax. */
export const hookBytes = triggerLimits.variables * variableMaxChars * 2 + 8 * 1024

/** The path that programs call, in Fastify's syntax. */
export const hookPath = '/hooks/:secret'

const closed = { additionalProperties: false } as const
const FlowParams = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the flow.' }) },
  closed,
)

/** The body of a program's call. */
export const HookCall = Type.Object(
  {
    numberTel: Type.String({
      minLength: 6,
      maxLength: 40,
      description: "The customer's number in any format. Without a country code, the organization's country counts.",
    }),
    phone: Type.Optional(
      Type.String({ maxLength: 40, description: 'Our number; absent: the one they wrote to last, else our first.' }),
    ),
    variables: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 40 }),
        Type.Union([Type.String({ maxLength: variableMaxChars }), Type.Number(), Type.Boolean()]),
        {
          maxProperties: triggerLimits.variables,
          description: 'By name, without `flujo.`: those that the trigger of the flow names.',
        },
      ),
    ),
  },
  closed,
)
export type HookCall = Static<typeof HookCall>

export const HookReply = Type.Object({
  id: Type.String({ description: 'Of the session that began.' }),
  state: Type.String({ description: 'Its state after the first turn, as in the runs of the flow.' }),
})
export type HookReply = Static<typeof HookReply>

const FlowHook = Type.Object({
  url: Nullable(
    Type.String({ description: 'null: the installation has another secret by now; a new address mends it.' }),
  ),
  changedAt: Timestamp,
  changedBy: Type.String(),
  calledAt: Nullable(Type.String({ description: 'When a call last began a session, ISO 8601 UTC; null: none did.' })),
})
export type FlowHook = Static<typeof FlowHook>

const HookUse = Type.Object({
  flowId: Type.String(),
  calledAt: Nullable(Type.String({ description: 'When a call last started a session, ISO 8601 UTC; null: none did.' })),
})
export type HookUse = Static<typeof HookUse>

/** The address at which other programs start a flow: it exists from when the flow first has a webhook trigger. */
export const flowHooksApi = {
  listUses: endpoint({
    method: 'GET',
    path: '/whatsapp/flow-hooks',
    access: 'flow:edit',
    reply: Type.Object({ items: Type.Array(HookUse) }),
    summary: 'The flows that have a secret address, and when each was last started by it.',
  }),
  getHook: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/hook',
    access: 'flow:edit',
    params: FlowParams,
    reply: Type.Object({ hook: Nullable(FlowHook) }),
    refuses: [404],
    summary: 'The secret address with which programs start a flow for a number; null if there is none.',
  }),
  replaceHook: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/hook',
    access: 'connection:manage',
    params: FlowParams,
    reply: Type.Object({ hook: FlowHook }),
    refuses: [404],
    summary: 'Gives the flow a new secret address. The previous one stops working.',
  }),
} as const

/** An example request for programmers. */
export const exampleCall = (url: string, variables: readonly string[]): string => {
  const body = {
    numberTel: '5491155550100',
    ...(variables.length ? { variables: Object.fromEntries(variables.map(name => [name, '…'])) } : {}),
  }
  return `curl -X POST '${url}' \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`
}
