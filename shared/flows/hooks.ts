import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { triggerLimits } from './triggers.ts'
import { variableMaxChars } from './variables.ts'

/** Sessions that the address of one flow may begin in a minute. */
export const hookCallsPerMinute = 600
/** Of one call: every variable at its longest, and what JSON needs around them. */
export const hookBytes = triggerLimits.variables * variableMaxChars * 2 + 8 * 1024

/** Where programs call, in Fastify's syntax. */
export const hookPath = '/hooks/:secret'

const closed = { additionalProperties: false } as const
const FlowParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, closed)

/** What a program says of whom a flow begins for. */
export const HookCall = Type.Object(
  {
    numberTel: Type.String({
      minLength: 6,
      maxLength: 40,
      description: "The customer's number in any spelling; without its country it is of the organization's.",
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
  state: Type.String({ description: 'Where it stands after its first turn, as the runs of the flow say it.' }),
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

/** The address by which other programs begin a flow: it is there from when the flow has a trigger for it. */
export const flowHooksApi = {
  getHook: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/hook',
    access: 'flow:edit',
    params: FlowParams,
    reply: Type.Object({ hook: Nullable(FlowHook) }),
    refuses: [404],
    summary: 'The address that programs call to begin a flow for a number. Whoever has it can; null: there is none.',
  }),
  replaceHook: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/hook',
    access: 'connection:manage',
    params: FlowParams,
    reply: Type.Object({ hook: FlowHook }),
    refuses: [404],
    summary: 'Makes a new address of the flow; the one before begins nothing any more.',
  }),
} as const

/** How programs are shown what to send. */
export const exampleCall = (url: string, variables: readonly string[]): string => {
  const body = {
    numberTel: '5491155550100',
    ...(variables.length ? { variables: Object.fromEntries(variables.map(name => [name, '…'])) } : {}),
  }
  return `curl -X POST '${url}' \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`
}
