/**
 * Public SDKs for Meta's API, each playing one script against the simulator and against the gateway: both answer the
 * same, ids and addresses aside.
 */
import GreatDetail, { MessageType } from '@great-detail/whatsapp'
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import t from 'tap'
import { WhatsAppAPI } from 'whatsapp-api-js'
import { Image, Reaction, Text } from 'whatsapp-api-js/messages'
import { gatewayCustomer, gatewayStage } from '#test/helpers/gateway-stage.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

interface Place {
  /** Without the version. */
  readonly baseUrl: string
  readonly token: string
  readonly number: string
  readonly waba: string
  /** A message of the customer. */
  readonly wamid: string
  /** Reaches this server for every address. */
  readonly fetch: typeof fetch
}
type Script = (place: Place) => Promise<unknown[]>

const picture = () => new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' })
const body = '¿Te lo llevamos?'

const kapso: Script = async ({ baseUrl, token, number, waba, wamid, fetch }) => {
  const client = new WhatsAppClient({ baseUrl, accessToken: token, graphVersion: 'v24.0', fetch })
  const to = { phoneNumberId: number, to: gatewayCustomer }
  const { id: mediaId } = await client.media.upload({
    phoneNumberId: number,
    type: 'image',
    file: picture(),
    fileName: 'torta.png',
  })
  return [
    await client.messages.sendText({ ...to, body: 'Hola' }),
    await client.messages.sendImage({ ...to, image: { id: mediaId, caption: 'La torta' } }),
    await client.messages.sendLocation({ ...to, location: { latitude: -34.6, longitude: -58.4, name: 'Local' } }),
    await client.messages.sendInteractiveButtons({ ...to, bodyText: body, buttons: [{ id: 'si', title: 'Sí' }] }),
    await client.messages.sendReaction({ ...to, reaction: { messageId: wamid, emoji: '👍' } }),
    await client.messages.markRead({ phoneNumberId: number, messageId: wamid, typingIndicator: { type: 'text' } }),
    await client.media.get({ mediaId, phoneNumberId: number }),
    await client.templates.list({ businessAccountId: waba, limit: 2 }),
    await client.messages
      .sendText({ ...to, to: '12', body: 'Hola' })
      .catch(error => ({ ...error, message: error.message })),
    await client.media.delete({ mediaId, phoneNumberId: number }),
  ]
}

const apiJs: Script = async ({ baseUrl, token, number, wamid, fetch }) => {
  const moved = ((address: string | URL, init?: RequestInit) =>
    fetch(String(address).replace('https://graph.facebook.com', baseUrl), init)) as typeof globalThis.fetch
  const api = new WhatsAppAPI({ token, v: 'v24.0', secure: false, ponyfill: { fetch: moved } })
  const form = new FormData()
  form.set('file', picture(), 'torta.png')
  const media = await api.uploadMedia(number, form)
  const id = 'id' in media ? media.id : ''
  const info = await api.retrieveMedia(id)
  return [
    media,
    await api.sendMessage(number, gatewayCustomer, new Text('Hola')),
    await api.sendMessage(number, gatewayCustomer, new Image(id, true, 'La torta'), wamid, 'order-7'),
    await api.sendMessage(number, gatewayCustomer, new Reaction(wamid, '👍')),
    await api.markAsRead(number, wamid, 'text'),
    info,
    'url' in info ? (await (await api.fetchMedia(info.url)).arrayBuffer()).byteLength : info,
    await api.sendMessage(number, '12', new Text('Hola')),
    await api.deleteMedia(id),
    await api.retrieveMedia(id),
  ]
}

const greatDetail: Script = async ({ baseUrl, token, number, waba, wamid, fetch }) => {
  const sdk = new GreatDetail({
    baseUrl: `${baseUrl}/`,
    graphVersion: 'v24.0',
    request: { headers: { authorization: `Bearer ${token}` }, fetch, retry: 0 },
  })
  const to = { phoneNumberID: number, to: gatewayCustomer }
  const { id } = await sdk.media
    .upload({ phoneNumberID: number, file: picture(), filename: 'a.png', mimeType: 'image/png' })
    .json()
  return [
    await sdk.message.createMessage({ ...to, type: MessageType.Text, text: { body: 'Hola' } }).json(),
    await sdk.message.createMessage({ ...to, type: MessageType.Image, image: { id, caption: 'La torta' } }).json(),
    await sdk.message.createStatus({ phoneNumberID: number, message_id: wamid, status: 'read' }).json(),
    await sdk.media.getURL({ mediaID: id }).json(),
    await sdk.phoneNumbers.getPhoneNumber({ phoneNumberID: number }).json(),
    await sdk.phoneNumbers.listPhoneNumbers({ businessAccountID: waba }).json(),
    await sdk.businessProfile.getBusinessProfile({ phoneNumberID: number, fields: ['about'] }).json(),
    await sdk.media.delete({ mediaID: id }).json(),
  ]
}

const volatile = new Set([
  'id',
  'url',
  'fbtrace_id',
  'fbtraceId',
  'next',
  'before',
  'after',
  'raw',
  'message_id',
  'wamid',
])
/** With a mark in place of what differs from call to call. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'string') return value.replace(/\d{12,}/, '(id)')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, volatile.has(name) ? typeof inner : plain(inner)]),
  )
}

for (const [name, script, count] of [
  ['@kapso/whatsapp-cloud-api', kapso, 10],
  ['whatsapp-api-js', apiJs, 10],
  ['@great-detail/whatsapp', greatDetail, 8],
] as const)
  t.test(`${name} works with the gateway as with Meta`, async t => {
    const { backend, number, waba, key, say, thread, databases } = await gatewayStage(t)
    await say('Buenas')
    const { wamid } = (await thread()).findLast(one => one.direction === 'in')
    const { id } = await databases.read.selectFrom('wa_connection').select('id').executeTakeFirstOrThrow()
    const token = (await backend.parts.numbers.findByConnectionId(id))?.accessToken ?? ''
    const here = (async (given: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(given, init)
      const { pathname, search } = new URL(request.url)
      return fetch(new Request(backend.url + pathname + search, request))
    }) as typeof fetch
    const place = { number, waba, wamid, fetch: here }
    const meta = await script({ ...place, baseUrl: `${backend.url}/sandbox/graph`, token })
    const before = (await thread()).length
    const ours = await script({ ...place, baseUrl: `${backend.url}/graph`, token: key })
    t.equal(meta.length, count)
    for (const [i, answer] of meta.entries()) t.same(plain(ours[i]), plain(answer), `call ${i}`)
    await backend.settle()
    t.ok((await thread()).length > before, 'what it sent stands in the thread')
    t.same(backend.errors(), [])
  })
