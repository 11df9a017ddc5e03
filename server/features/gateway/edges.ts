import { listOwnNumbers, type OwnNumber } from '#server/messaging/sending/as-program.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { admit } from '#server/platform/http/access.ts'
import { clientKeyOf, type Once } from '#server/platform/http/http.ts'
import { unknownObject, unknownPath } from '#server/whatsapp/serving/graph-error.ts'
import type { Edge, Edges, GatewayCall } from './call.ts'
import { bytesPath, type createFileCalls } from './file-calls.ts'
import type { createGatewayMessages } from './messages.ts'

interface EdgeParts {
  readonly databases: Pick<Databases, 'read'>
  readonly once: Once
  readonly messages: ReturnType<typeof createGatewayMessages>
  readonly fileCalls: ReturnType<typeof createFileCalls>
}

/** Answers calls on the organization's numbers, accounts and files. */
export function createEdges(parts: EdgeParts) {
  const { databases, messages, fileCalls } = parts

  const ofNumber: Edges<OwnNumber> = {
    'POST messages': {
      access: 'chat:reply',
      run: ({ request, caller, body }, number) => messages({ caller, number, body, clientKey: clientKeyOf(request) }),
    },
    'POST media': { access: 'chat:reply', run: fileCalls.upload },
  }

  /** Any other id is that of a file. */
  const ofFile: Edges<string> = {
    'GET ': { access: 'chat:read', run: fileCalls.info },
    'DELETE ': { access: 'chat:reply', run: fileCalls.remove },
  }

  const rooted: Edges<undefined> = {
    [`GET ${bytesPath}`]: { access: 'chat:read', run: fileCalls.bytes },
  }

  /** A POST with an `idempotency-key` that was used before gets its first answer. Uploads may be repeated. */
  const once = (call: GatewayCall, path: readonly string[], run: () => Promise<unknown>) => {
    const { request, reply, caller, query, body } = call
    if (request.method !== 'POST' || request.isMultipart()) return run()
    const { access_token: _token, ...asked } = query
    return parts.once(request, reply, run, {
      orgId: caller.orgId,
      caller: caller.keyId,
      content: [path, asked, body],
    })
  }

  const perform = async <Of>(call: GatewayCall, path: readonly string[], { edge, of }: { edge: Edge<Of>; of: Of }) => {
    await admit({ access: edge.access }, call.request.caller, undefined)
    return once(call, path, () => edge.run(call, of))
  }

  const isEdge = (edges: Edges<never>, rest: string) => Object.keys(edges).some(name => name.endsWith(` ${rest}`))

  /** @throws GraphError if the object or its edge is unknown */
  return async (call: GatewayCall, path: readonly string[]): Promise<unknown> => {
    const { request, caller } = call
    const { method } = request
    const whole = rooted[`${method} ${path.join('/')}`]
    if (whole) return perform(call, path, { edge: whole, of: undefined })
    const [id = '', ...below] = path
    const rest = below.join('/')
    if (!/^\d+$/.test(id)) throw unknownPath(path.join('/'))
    const numbers = (await listOwnNumbers(databases.read, caller.orgId)).filter(one => one.isConnected)
    const number = numbers.find(one => one.phoneNumberId === id)
    const edge = number && ofNumber[`${method} ${rest}`]
    if (number && edge) return perform(call, path, { edge, of: number })
    if (number) throw isEdge(ofNumber, rest) ? unknownObject(method, id) : unknownPath(rest)
    const other = ofFile[`${method} ${rest}`]
    if (!other) throw unknownObject(method, id)
    return perform(call, path, { edge: other, of: id })
  }
}
