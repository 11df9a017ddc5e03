import { listOwnNumbers, type OwnNumber } from '#server/messaging/sending/as-program.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { admit } from '#server/platform/http/access.ts'
import { clientKeyOf, type Once } from '#server/platform/http/http.ts'
import { unknownObject, unknownPath } from '#server/whatsapp/serving/graph-error.ts'
import type { Edge, Edges, GatewayCall } from './call.ts'
import { bytesPath, type createFileCalls } from './file-calls.ts'
import type { createForwarding } from './forwarding.ts'
import type { createGatewayMessages } from './messages.ts'

interface EdgeParts {
  readonly databases: Pick<Databases, 'read'>
  readonly once: Once
  readonly messages: ReturnType<typeof createGatewayMessages>
  readonly fileCalls: ReturnType<typeof createFileCalls>
  readonly forwarding: ReturnType<typeof createForwarding>
  isTemplate(orgId: string, id: string): Promise<boolean>
  debugToken(call: GatewayCall, numbers: readonly OwnNumber[]): Promise<unknown>
}

/** Meta writes base64. Nothing else may stand in it, because it becomes a part of our own request's path. */
const uploadPath = /^upload:[\w+/=-]{1,1000}$/

/** Answers calls on the organization's numbers, accounts and files. */
export function createEdges(parts: EdgeParts) {
  const { databases, messages, fileCalls, forwarding } = parts

  const ofNumber: Edges<OwnNumber> = {
    ...forwarding.ofNumber,
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
    'GET debug_token': {
      access: 'chat:read',
      run: async call => parts.debugToken(call, await listConnected(call.caller.orgId)),
    },
  }

  /** A POST with an `idempotency-key` that was used before gets its first answer. Uploads may be repeated. */
  const once = (call: GatewayCall, run: () => Promise<unknown>) => {
    const { request, reply, caller, path, query, body } = call
    if (request.method !== 'POST' || request.isMultipart() || uploadPath.test(path.join('/'))) return run()
    const { access_token: _token, ...asked } = query
    return parts.once(request, reply, run, {
      orgId: caller.orgId,
      caller: caller.keyId,
      content: [path, asked, body],
    })
  }

  const perform = async <Of>(call: GatewayCall, { edge, of }: { edge: Edge<Of>; of: Of }) => {
    await admit({ access: edge.access }, call.request.caller, undefined)
    return once(call, () => edge.run(call, of))
  }

  const isEdge = (edges: Edges<never>, rest: string) => Object.keys(edges).some(name => name.endsWith(` ${rest}`))

  const listConnected = async (orgId: string) =>
    (await listOwnNumbers(databases.read, orgId)).filter(one => one.isConnected)

  const ofObject = (call: GatewayCall, { edges, number }: { edges: Edges<OwnNumber>; number: OwnNumber }) => {
    const { path } = call
    const { method } = call.request
    const [id = '', ...below] = path
    const rest = below.join('/')
    const edge = edges[`${method} ${rest}`] ?? forwarding.ofPath(edges, method, rest)
    if (!edge) throw isEdge(edges, rest) ? unknownObject(method, id) : unknownPath(rest)
    return perform(call, { edge, of: number })
  }

  /** @throws GraphError if the object or its edge is unknown */
  return async (call: GatewayCall): Promise<unknown> => {
    const { request, caller, path } = call
    const { method } = request
    const whole = rooted[`${method} ${path.join('/')}`]
    if (whole) return perform(call, { edge: whole, of: undefined })
    const [id = '', ...below] = path
    const rest = below.join('/')
    const isUpload = uploadPath.test(path.join('/'))
    if (!/^\d+$/.test(id) && !isUpload) throw unknownPath(path.join('/'))
    const numbers = await listConnected(caller.orgId)
    if (isUpload || (method === 'POST' && rest === 'uploads')) {
      const edge = isUpload ? forwarding.ofUpload[`${method} `] : forwarding.newUpload
      if (!edge || !numbers[0]) throw unknownObject(method, id)
      return perform(call, { edge, of: numbers[0] })
    }
    const number = numbers.find(one => one.phoneNumberId === id)
    if (number) return ofObject(call, { edges: ofNumber, number })
    const account = numbers.find(one => one.wabaId === id)
    if (account) return ofObject(call, { edges: forwarding.ofAccount, number: account })
    const [first] = numbers
    if (first && (await parts.isTemplate(caller.orgId, id)))
      return ofObject(call, { edges: forwarding.ofTemplate, number: first })
    const edge = ofFile[`${method} ${rest}`]
    if (!edge) throw unknownObject(method, id)
    return perform(call, { edge, of: id })
  }
}
