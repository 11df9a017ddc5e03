import type { FastifyReply, FastifyRequest } from 'fastify'
import { listOwnNumbers, type OwnNumber } from '#server/messaging/sending/as-program.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { admit } from '#server/platform/http/access.ts'
import type { KeyHolder } from '#server/platform/http/actor.ts'
import { clientKeyOf, type Once } from '#server/platform/http/http.ts'
import type { Json } from '#server/whatsapp/scalars.ts'
import { unknownObject, unknownPath } from '#server/whatsapp/serving/graph-error.ts'
import type { Capability } from '#shared/kernel/permissions.ts'
import type { createGatewayMessages } from './messages.ts'

/** A call with a usable key. */
export interface GatewayCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: KeyHolder
  readonly query: Json
  readonly body: Json
}

interface Edge<Of> {
  readonly access: Capability
  run(call: GatewayCall, of: Of): Promise<unknown>
}

type Edges<Of> = Readonly<Record<string, Edge<Of>>>

interface EdgeParts {
  readonly databases: Pick<Databases, 'read'>
  readonly once: Once
  readonly messages: ReturnType<typeof createGatewayMessages>
}

/** Answers calls on the organization's numbers and accounts. */
export function createEdges(parts: EdgeParts) {
  const { databases, messages } = parts

  const ofNumber: Edges<OwnNumber> = {
    'POST messages': {
      access: 'chat:reply',
      run: ({ request, caller, body }, number) => messages({ caller, number, body, clientKey: clientKeyOf(request) }),
    },
  }

  /** A POST with an `idempotency-key` that was used before gets its first answer. */
  const once = (call: GatewayCall, path: readonly string[], run: () => Promise<unknown>) => {
    const { request, reply, caller, query, body } = call
    if (request.method !== 'POST') return run()
    const { access_token: _token, ...asked } = query
    return parts.once(request, reply, run, {
      orgId: caller.orgId,
      caller: caller.keyId,
      content: [path, asked, body],
    })
  }

  /** @throws GraphError if the object or its edge is unknown */
  return async (call: GatewayCall, path: readonly string[]): Promise<unknown> => {
    const { request, caller } = call
    const [id = '', ...rest] = path
    if (!/^\d+$/.test(id)) throw unknownPath(path.join('/'))
    const number = (await listOwnNumbers(databases.read, caller.orgId)).find(
      one => one.isConnected && one.phoneNumberId === id,
    )
    if (!number) throw unknownObject(request.method, id)
    const edge = ofNumber[`${request.method} ${rest.join('/')}`]
    if (!edge) {
      const isKnown = Object.keys(ofNumber).some(name => name.endsWith(` ${rest.join('/')}`))
      throw isKnown ? unknownObject(request.method, id) : unknownPath(rest.join('/'))
    }
    await admit({ access: edge.access }, request.caller, undefined)
    return once(call, path, () => edge.run(call, number))
  }
}
