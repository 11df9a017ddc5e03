import type { FastifyRequest } from 'fastify'
import type { OwnNumber } from '#server/messaging/sending/as-program.ts'
import type { TemplateSyncService } from '#server/messaging/templates/sync/sync.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { unreadBody } from '#server/platform/http/unread-body.ts'
import type { GraphOf } from '#server/whatsapp/feature.ts'
import { asText, type Json } from '#server/whatsapp/scalars.ts'
import { metaCodes } from '#server/whatsapp/serving/codes.ts'
import { forwardCall, forwardNewUpload, forwardUpload } from '#server/whatsapp/serving/forwarded.ts'
import { codeError, paramError } from '#server/whatsapp/serving/graph-error.ts'
import type { Capability } from '#shared/kernel/permissions.ts'
import { anyFileMaxBytes } from '#shared/media/sent-files.ts'
import type { Edge, Edges, GatewayCall } from './call.ts'
import { type Readable, readableOfAccount, readableOfNumber, readableOfTemplate, requireReadable } from './fields.ts'

/** The body of a request whose route leaves it unread. */
const readFile = (request: FastifyRequest) => {
  const { headers } = request
  const size = Number(headers['content-length'])
  const offset = headers.file_offset ?? '0'
  if (!Number.isSafeInteger(size) || size < 1) throw paramError('The header content-length is required.')
  if (size > anyFileMaxBytes)
    throw codeError(metaCodes.mediaNotUploaded, `File size is too big. Max: ${anyFileMaxBytes} bytes.`)
  if (typeof offset !== 'string' || !/^\d{1,15}$/.test(offset))
    throw paramError('The header file_offset must be a number of bytes.')
  // Another route has read it.
  if (request.body !== undefined) throw paramError('The address of an upload begins with the version: /graph/v25.0/…')
  return { bytes: { stream: unreadBody(request), size }, offset: Number(offset) }
}

interface ForwardingParts {
  readonly publicUrl: string
  readonly writes: Pick<Writes, 'run'>
  readonly graphOf: GraphOf
  readonly numbers: {
    findByConnectionId(id: string): Promise<{ accessToken: string; appSecret: string } | undefined>
  }
  readonly templateSync: Pick<TemplateSyncService, 'askFor'>
}

/** Changes to the connection itself. They are made in the product, so that it keeps working. */
const refuse: Edge<OwnNumber> = {
  access: 'connection:manage',
  run: () =>
    Promise.reject(
      codeError(metaCodes.notPermitted, 'Numbers are registered and connected in the product, not by its programs.'),
    ),
}
const withoutCalls = (access: Capability): Edge<OwnNumber> => ({
  access,
  run: () => Promise.reject(codeError(metaCodes.callingNotEnabled)),
})

/** The subscription of the product itself. Programs get Meta's webhooks from the product. */
const subscription: Json = {
  data: [{ whatsapp_business_api_data: { id: '0', name: 'Recado', link: '' } }],
}
const subscribe: Edge<OwnNumber> = {
  access: 'connection:manage',
  async run({ body, query }) {
    if (asText({ ...query, ...body }.override_callback_uri) !== undefined)
      throw paramError('Invalid parameter', "Add the address as a webhook of Meta's format on the page Integrations.")
    return { success: true }
  },
}

/** Edges that Meta itself answers, with the connection's token. */
export function createForwarding(parts: ForwardingParts) {
  const { publicUrl, writes, numbers } = parts

  const graphAs = async (number: OwnNumber) => {
    const opened = await numbers.findByConnectionId(number.id)
    if (!opened) throw codeError(metaCodes.numberNotRegistered)
    return { ...opened, ...parts.graphOf(number.kind) }
  }

  /** Only with a path that was checked: in ours it could lead to any other object. */
  const forward = async ({ request, path: checked, query, body }: GatewayCall, number: OwnNumber) => {
    const path = checked.join('/')
    const method = request.method as 'GET' | 'POST' | 'DELETE'
    const ownUrl = publicUrl + request.url.split(/[?#]/)[0]
    return forwardCall(await graphAs(number), { method, path, query, body }, ownUrl)
  }
  const forwarded = (access: Capability, readable?: Readable): Edge<OwnNumber> => ({
    access,
    async run(call, number) {
      requireReadable(readable, call.query)
      return forward(call, number)
    },
  })

  /** Our copies of templates are read again after a change. */
  const changed: Edge<OwnNumber> = {
    access: 'template:edit',
    async run(call, number) {
      const answer = await forward(call, number)
      const { orgId } = call.caller
      await writes.run(orgId, actorOf(call.caller), write => parts.templateSync.askFor(write))
      return answer
    },
  }

  const ofNumber: Edges<OwnNumber> = {
    'GET ': forwarded('chat:read', readableOfNumber['']),
    'GET whatsapp_business_profile': forwarded('chat:read', readableOfNumber.whatsapp_business_profile),
    'POST whatsapp_business_profile': forwarded('connection:manage'),
    'GET block_users': forwarded('chat:read', readableOfNumber.block_users),
    'POST block_users': forwarded('member:manage'),
    'DELETE block_users': forwarded('member:manage'),
    'GET message_qrdls': forwarded('chat:read', readableOfNumber.message_qrdls),
    'POST message_qrdls': forwarded('connection:manage'),
    'GET settings': forwarded('connection:read', readableOfNumber.settings),
    'POST calls': withoutCalls('chat:reply'),
    'GET call_permissions': withoutCalls('chat:read'),
    'POST settings': refuse,
    'POST register': refuse,
    'POST deregister': refuse,
    'POST request_code': refuse,
    'POST verify_code': refuse,
  }

  const ofAccount: Edges<OwnNumber> = {
    'GET ': forwarded('chat:read', readableOfAccount['']),
    'GET phone_numbers': forwarded('chat:read', readableOfAccount.phone_numbers),
    'GET message_templates': forwarded('chat:read', readableOfAccount.message_templates),
    'POST message_templates': changed,
    'DELETE message_templates': changed,
    'GET flows': forwarded('chat:read', readableOfAccount.flows),
    'POST flows': forwarded('template:edit'),
    'GET subscribed_apps': { access: 'chat:read', run: async () => subscription },
    'POST subscribed_apps': subscribe,
    'DELETE subscribed_apps': subscribe,
  }

  /** Files of template headers. They belong to the app of our token, whichever app the program names. */
  const newUpload: Edge<OwnNumber> = {
    access: 'template:edit',
    run: async (call, number) => forwardNewUpload(await graphAs(number), call),
  }
  const ofUpload: Edges<OwnNumber> = {
    'GET ': { access: 'template:edit', run: forward },
    'POST ': {
      access: 'template:edit',
      run: async ({ request, path, query }, number) => {
        const file = readFile(request)
        return forwardUpload(await graphAs(number), { path: path.join('/'), query }, file)
      },
    },
  }

  /** A path that names something: the code of a QR link. */
  const ofPath = (edges: Edges<OwnNumber>, method: string, rest: string): Edge<OwnNumber> | undefined =>
    edges !== ofAccount && /^message_qrdls\/[A-Z0-9]{1,40}$/.test(rest)
      ? forwarded(method === 'GET' ? 'chat:read' : 'connection:manage', readableOfNumber.message_qrdls)
      : undefined

  return {
    ofNumber,
    ofAccount,
    ofPath,
    newUpload,
    ofUpload,
    ofTemplate: { 'GET ': forwarded('chat:read', readableOfTemplate['']), 'POST ': changed },
  }
}
