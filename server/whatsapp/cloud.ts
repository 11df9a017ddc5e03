import { digitsOf } from '#shared/kernel/phone.ts'
import { readMessagingLimit } from './fields/messaging-limit.ts'
import { createGraph, type Graph, type GraphOptions } from './graph/graph.ts'
import { downloadMedia } from './graph/media-download.ts'
import {
  BlockReply,
  CatalogueList,
  MessagingLimitNode,
  PhoneNumberList,
  PhoneNumberNode,
  SendReply,
  SuccessReply,
  UploadReply,
} from './graph/wire.ts'
import { messageBody } from './message-body.ts'
import { type Accepted, type NumberFacts, WhatsAppError, type WhatsAppNumber } from './provider.ts'

export interface CloudNumberOptions extends GraphOptions {
  phoneNumberId: string
  wabaId: string
}

const product = { messaging_product: 'whatsapp' } as const

/** Enough for a hundred megabytes over a slow connection. */
const uploadMs = 15 * 60 * 1000

/** Meta accepts Ogg only with Opus, and requires the codec in the type. */
const uploadType = (mime: string): string => (mime === 'audio/ogg' ? 'audio/ogg; codecs=opus' : mime)

/** Pages of an account's numbers: Meta allows a few dozen numbers, so this is never reached. */
const maxPages = 20

const belongs = async (
  graph: Graph,
  wabaId: string,
  phoneNumberId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  let after: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const { data, paging } = await graph.request({
      call: 'number',
      method: 'GET',
      path: `/${encodeURIComponent(wabaId)}/phone_numbers`,
      // `paging.next` is an address that contains the token; the cursor is enough.
      query: { fields: 'id', limit: '100', ...(after === undefined ? {} : { after }) },
      reply: PhoneNumberList,
      signal,
    })
    if (data.some(({ id }) => id === phoneNumberId)) return true
    after = paging?.next === undefined ? undefined : paging.cursors?.after
    if (after === undefined) return false
  }
  return false
}

const checkNumber = async (
  graph: Graph,
  { phoneNumberId, wabaId }: CloudNumberOptions,
  signal?: AbortSignal,
): Promise<NumberFacts> => {
  const node = await graph.request({
    call: 'number',
    method: 'GET',
    path: `/${encodeURIComponent(phoneNumberId)}`,
    query: { fields: 'display_phone_number,verified_name' },
    reply: PhoneNumberNode,
    signal,
  })
  if (!(await belongs(graph, wabaId, phoneNumberId, signal)))
    throw new WhatsAppError({
      code: 'WRONG_ACCOUNT',
      retry: 'credentials',
      message: 'the number is not of this WhatsApp account',
    })
  return {
    phone: digitsOf(node.display_phone_number),
    verifiedName: node.verified_name ?? null,
  }
}

/** `wa_id` is absent or empty for a customer known only by a business-scoped id. */
const acceptedOf = ({ messages, contacts }: SendReply): Accepted => {
  const waId = contacts?.[0]?.wa_id
  const bsuid = contacts?.[0]?.user_id
  return { wamid: messages[0]?.id ?? '', ...(waId ? { waId } : {}), ...(bsuid ? { bsuid } : {}) }
}

/**
 * A number at Meta's Cloud API or at the simulator, which differs only by `baseUrl`. The token is sent only in a
 * header, and never logged.
 * @see Meta, "Cloud API › Messages"
 */
export function createCloudNumber(options: CloudNumberOptions): WhatsAppNumber {
  const graph = createGraph(options)
  const messages = `/${encodeURIComponent(options.phoneNumberId)}/messages`
  return {
    check: signal => checkNumber(graph, options, signal),
    messagingLimit: async signal => {
      const node = await graph.request({
        call: 'number',
        method: 'GET',
        path: `/${encodeURIComponent(options.phoneNumberId)}`,
        query: { fields: 'whatsapp_business_manager_messaging_limit' },
        reply: MessagingLimitNode,
        signal,
      })
      return readMessagingLimit(node.whatsapp_business_manager_messaging_limit) ?? null
    },
    catalogueIds: async signal => {
      const path = `/${encodeURIComponent(options.wabaId)}/product_catalogs`
      const query = { fields: 'id', limit: '100' }
      const { data } = await graph.request({ call: 'number', method: 'GET', path, query, reply: CatalogueList, signal })
      return data.map(({ id }) => id)
    },
    subscribe: async signal => {
      const path = `/${encodeURIComponent(options.wabaId)}/subscribed_apps`
      await graph.request({ call: 'number', method: 'POST', path, reply: SuccessReply, signal })
    },
    send: async (message, signal, onWire) => {
      const reply = await graph.request({
        // A reaction may be sent twice: the last one counts.
        call: message.content.type === 'reaction' ? 'number' : 'send',
        method: 'POST',
        path: messages,
        body: messageBody(message),
        reply: SendReply,
        signal,
        onWire,
      })
      return acceptedOf(reply)
    },
    markRead: async (wamid, { typing = false, signal } = {}) => {
      const body = {
        ...product,
        status: 'read',
        message_id: wamid,
        ...(typing ? { typing_indicator: { type: 'text' } } : {}),
      }
      await graph.request({ call: 'number', method: 'POST', path: messages, body, reply: SuccessReply, signal })
    },
    setBlocked: async ({ waId, bsuid }, isBlocked, signal) => {
      const body = { ...product, block_users: [waId === null ? { user_id: bsuid } : { user: waId }] }
      const path = `/${encodeURIComponent(options.phoneNumberId)}/block_users`
      const method = isBlocked ? 'POST' : 'DELETE'
      await graph.request({ call: 'number', method, path, body, reply: BlockReply, signal })
    },
    controlThread: async ({ waId, bsuid }, action, signal) => {
      const to = waId === null ? { recipient: bsuid } : { to: waId }
      const control = action === 'pass' ? { control_pass: { target_role: 'ai_agent' } } : {}
      const path = `/${encodeURIComponent(options.phoneNumberId)}/thread_control`
      const body = { ...product, action, ...to, ...control }
      await graph.request({ call: 'number', method: 'POST', path, body, reply: SuccessReply, signal })
    },
    uploadFile: async ({ bytes, mime }, signal) => {
      const type = uploadType(mime)
      const form = { ...product, type, file: new Blob([bytes], { type }) }
      const path = `/${encodeURIComponent(options.phoneNumberId)}/media`
      const call = { call: 'media', method: 'POST', path, form, reply: UploadReply, timeoutMs: uploadMs } as const
      return (await graph.request({ ...call, signal })).id
    },
    fetchMedia: (providerId, limits) =>
      downloadMedia(graph, { providerId, phoneNumberId: options.phoneNumberId }, limits),
  }
}
