import type { FastifyInstance } from 'fastify'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { clientKeyOf, type Once } from '#server/platform/http/http.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import { HookCall, HookReply, hookBytes, hookPath } from '#shared/flows/triggers/hooks.ts'
import type { FlowHooks } from './hooks.ts'

const call: DescribedCall = {
  service: 'flowHooks',
  name: 'beginByHook',
  method: 'POST',
  url: hookPath,
  summary: "Starts a flow for a number. The secret address is the only credential; the flow's editor shows it.",
  access: 'address',
  params: { type: 'object', properties: { secret: { type: 'string' } }, required: ['secret'] },
  body: HookCall,
  reply: HookReply,
  status: 201,
  idempotent: true,
  refuses: [400, 404, 409, 413, 415, 429, 500, 503],
}

/**
 * The addresses at which other programs start flows. There is no sign-in; the secret in the address is the permission.
 */
export function mountFlowHooks(
  app: FastifyInstance,
  { flowHooks: hooks, once }: { flowHooks: Pick<FlowHooks, 'find' | 'begin'>; once: Once },
): void {
  const read = readerOf('body', HookCall)

  app.route<{ Params: { secret: string } }>({
    method: 'POST',
    url: hookPath,
    bodyLimit: hookBytes,
    config: { describeCalls: () => ({ calls: [call] }) },
    handler: async (request, reply) => {
      // Before the body is validated, so that a caller without a valid address learns nothing about its form.
      const place = await hooks.find(request.params.secret)
      const body = read(request.body) as HookCall
      reply.status(201)
      return once(request, reply, () => hooks.begin(place, body, clientKeyOf(request)), {
        orgId: place.orgId,
        caller: `hook ${place.flowId}`,
        content: body,
      })
    },
  })
}
