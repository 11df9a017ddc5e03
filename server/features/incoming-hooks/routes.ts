import type { FastifyInstance } from 'fastify'
import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { clientKeyOf, type Once } from '#server/platform/http/http.ts'
import { acceptRaw } from '#server/platform/http/plugins/parsers.ts'
import { IncomingReply, incomingLimits, incomingPath } from '#shared/incoming-hooks/api.ts'
import type { Calling } from './calling.ts'

const call: DescribedCall = {
  service: 'incomingHooks',
  name: 'callHook',
  method: 'POST',
  url: incomingPath,
  summary:
    'Runs the action of an incoming webhook with values from any JSON. The secret address is the only credential. A refusal names the field of that JSON.',
  access: 'address',
  params: { type: 'object', properties: { secret: { type: 'string' } }, required: ['secret'] },
  body: { type: 'object', additionalProperties: true },
  example: { body: { customer: { name: 'Ana', phone: '+54 9 11 5555-0100' }, order: { id: 'A-17' } } },
  reply: IncomingReply,
  status: 201,
  idempotent: true,
  refuses: [400, 404, 409, 413, 429, 500, 503],
}

/** The addresses of incoming webhooks. There is no sign-in; the secret in the address is the permission. */
export function mountIncomingHooks(
  app: FastifyInstance,
  { calling, once }: { calling: Pick<Calling, 'find' | 'call'>; once: Once },
): void {
  app.register(async scope => {
    // Many programs send JSON as another type. It is read below, so that what is no JSON stands in the log, too.
    acceptRaw(scope, incomingLimits.bodyBytes)
    scope.route<{ Params: { secret: string } }>({
      method: 'POST',
      url: incomingPath,
      bodyLimit: incomingLimits.bodyBytes,
      config: { describeCalls: () => ({ calls: [call] }) },
      handler: async (request, reply) => {
        const place = await calling.find(request.params.secret)
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        reply.status(201)
        return once(request, reply, () => calling.call(place, { body, clientKey: clientKeyOf(request) }), {
          orgId: place.orgId,
          caller: `incoming ${place.hookId}`,
          content: body.toString('base64'),
        })
      },
    })
  })
}
