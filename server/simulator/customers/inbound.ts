import { InvalidInput } from '#server/platform/http/validate.ts'
import { asList, asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import { sniffMime } from '../media/media-kinds.ts'
import { mediaSample, type Sample } from '../media/samples.ts'

/** A customer's message without the common fields: type, part and file. */
export interface Draft {
  type: string
  part?: Json
  file?: Sample & { isVoice: boolean; caption?: string }
  contacts?: readonly Json[]
  errors?: readonly Json[]
}

const required = (field: string) => new InvalidInput([{ field: `body.${field}`, code: 'required', params: {} }])

const need = (body: SandboxInbound, field: keyof SandboxInbound & string): string => {
  const value = body[field]
  if (typeof value !== 'string' || value === '') throw required(field)
  return value
}

const fileOf = (body: SandboxInbound, kind: string): Sample => {
  const sample = mediaSample(kind)
  const bytes = body.dataBase64 === undefined ? sample.bytes : Buffer.from(body.dataBase64, 'base64')
  if (!bytes.length) throw new InvalidInput([{ field: 'body.dataBase64', code: 'format', params: {} }])
  const mime = body.mime ?? (body.dataBase64 === undefined ? sample.mime : (sniffMime(bytes) ?? sample.mime))
  return { bytes, mime, name: body.filename ?? (body.dataBase64 === undefined ? sample.name : null) }
}

const file =
  (type: string, kind = type) =>
  (body: SandboxInbound): Draft => {
    const isVoice = type === 'audio' && (kind === 'voice' || body.voice === true)
    const caption = type === 'audio' || type === 'sticker' ? undefined : (body.caption ?? body.text)
    return { type, file: { ...fileOf(body, isVoice ? 'voice' : kind), isVoice, ...(caption ? { caption } : {}) } }
  }

/** A location. Default: the Obelisco, in the middle of Buenos Aires. */
const location = (body: SandboxInbound): Draft => ({
  type: 'location',
  part: {
    latitude: body.latitude ?? -34.603738,
    longitude: body.longitude ?? -58.38157,
    ...(body.locationName ? { name: body.locationName } : {}),
    ...(body.address ? { address: body.address } : {}),
  },
})

const contacts = (body: SandboxInbound): Draft => {
  const name = body.contactName ?? 'Ana Paz'
  const phone = body.contactPhone ?? '+54 9 11 5555-1234'
  const [first = name, ...rest] = name.split(' ')
  return {
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: name, first_name: first, ...(rest.length ? { last_name: rest.join(' ') } : {}) },
        phones: [{ phone, wa_id: phone.replace(/\D/g, ''), type: 'CELL' }],
      },
    ],
  }
}

/** A removal has no emoji. */
const reaction = (body: SandboxInbound): Draft => ({
  type: 'reaction',
  part: { message_id: need(body, 'targetWamid'), ...(body.emoji ? { emoji: body.emoji } : {}) },
})

const choiceOf = (body: SandboxInbound) => {
  if (!body.choiceId && !body.choiceTitle) throw required('choiceId')
  return { id: body.choiceId ?? (body.choiceTitle as string), title: body.choiceTitle ?? (body.choiceId as string) }
}

const quickReply = (body: SandboxInbound): Draft => {
  const { id, title } = choiceOf(body)
  return { type: 'button', part: { payload: id, text: title } }
}

const tap =
  (kind: 'button_reply' | 'list_reply') =>
  (body: SandboxInbound): Draft => ({
    type: 'interactive',
    part: {
      type: kind,
      [kind]: { ...choiceOf(body), ...(kind === 'list_reply' && body.text ? { description: body.text } : {}) },
    },
  })

/** If the text is a JSON object it is the answers, otherwise it becomes one answer. */
const form = (body: SandboxInbound): Draft => {
  const text = body.text ?? '{"nombre":"Ana Paz"}'
  let answers: unknown
  try {
    answers = JSON.parse(text)
  } catch {
    answers = undefined
  }
  const fields = asObject(answers) ?? { answer: text }
  return {
    type: 'interactive',
    part: {
      type: 'nfm_reply',
      nfm_reply: {
        name: 'flow',
        body: 'Sent',
        response_json: JSON.stringify({ flow_token: body.choiceId ?? 'unused', ...fields }),
      },
    },
  }
}

const order = (body: SandboxInbound): Draft => ({
  type: 'order',
  part: {
    catalog_id: '194836987003835',
    ...(body.text ? { text: body.text } : {}),
    product_items: [
      { product_retailer_id: body.choiceId ?? 'di9ozbzfi4', quantity: 2, item_price: 30, currency: 'ARS' },
    ],
  },
})

const edit = (body: SandboxInbound): Draft => ({
  type: 'edit',
  part: {
    original_message_id: need(body, 'targetWamid'),
    message: { type: 'text', text: { body: need(body, 'text') } },
  },
})

const unsupported = (body: SandboxInbound): Draft => ({
  type: 'unsupported',
  part: { type: body.text ?? 'poll_creation' },
  errors: [
    {
      code: 131051,
      title: 'Message type unknown',
      message: 'Message type unknown',
      error_data: { details: 'Message type is currently not supported.' },
    },
  ],
})

const drafts: ReadonlyMap<string, (body: SandboxInbound) => Draft> = new Map<string, (body: SandboxInbound) => Draft>([
  ['text', body => ({ type: 'text', part: { body: need(body, 'text') } })],
  ['image', file('image')],
  ['video', file('video')],
  ['audio', file('audio')],
  ['voice', file('audio', 'voice')],
  ['document', file('document')],
  ['sticker', file('sticker')],
  ['location', location],
  ['contacts', contacts],
  ['reaction', reaction],
  ['unreaction', body => reaction({ ...body, emoji: undefined })],
  ['button', quickReply],
  ['button_reply', tap('button_reply')],
  ['list_reply', tap('list_reply')],
  ['form', form],
  ['order', order],
  ['edit', edit],
  ['revoke', body => ({ type: 'revoke', part: { original_message_id: need(body, 'targetWamid') } })],
  ['unsupported', unsupported],
  ['welcome', () => ({ type: 'request_welcome' })],
])

/**
 * Converts a customer's action to Meta's format. An unknown type is passed on with `raw` as its fields.
 * @throws InvalidInput naming a missing field
 */
export const inboundDraft = (body: SandboxInbound): Draft =>
  drafts.get(body.type ?? 'text')?.(body) ?? { type: body.type as string }

/**
 * A customer's message opens the window, but system notices, edits and removals do not.
 * @see Meta, "Customer service windows"
 */
export const opensWindow = (type: string): boolean => !['system', 'edit', 'revoke'].includes(type)

/** The title of a button or row in a message that the business sent. */
export function titleOfChoice(request: string, choiceId: string): string | undefined {
  const action = asObject(asObject((JSON.parse(request) as Json).interactive)?.action)
  const rows = asList(action?.sections).flatMap(section => asList(asObject(section)?.rows))
  const replies = asList(action?.buttons).map(button => asObject(button)?.reply)
  const found = [...replies, ...rows].map(asObject).find(choice => choice?.id === choiceId)
  return asText(found?.title)
}

/** The advertisement by which a customer came. */
export const referralOf = (headline: string): Json => ({
  source_url: 'https://fb.me/3cr4Wqqkv',
  source_id: '120226305854810726',
  source_type: 'ad',
  body: 'Escribinos por WhatsApp',
  headline,
  media_type: 'image',
  image_url: 'https://scontent.xx.fbcdn.net/v/t45.1600-4/example.jpg',
  ctwa_clid:
    'Aff-n8ZTODiE79d22KtAwQKj9e_mIEOOj27vDVwFjN80dp4_0NiNhEgpGo0AHemvuSoifXaytfTzcchptiErTKCqTrJ5nW1h7IHYeYymGb5K5J5iTROpBhWAGaIAeUzHL50',
})
