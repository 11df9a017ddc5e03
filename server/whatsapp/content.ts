import { contactsOf } from './contact-cards.ts'
import { formOf } from './form-answers.ts'
import type { InboundContent, InboundMedia, MessageContent } from './inbound.ts'
import {
  asId,
  asList,
  asNumber,
  asObject,
  asText,
  asTime,
  cleanLine,
  cleanText,
  type Json,
  rawJson,
  webAddress,
} from './scalars.ts'

type OrderItem = NonNullable<MessageContent['order']>['items'][number]

/** Reads the part of a message named after its type; undefined: a needed field is missing. */
type Reader = (part: Json, message: Json) => InboundContent | undefined

const text: Reader = part => (typeof part.body === 'string' ? { type: 'text', text: cleanText(part.body) } : undefined)

const mimePattern =
  /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*(\s*;\s*[a-z0-9_-]+=("[^"\\]*"|[a-z0-9!#$&^_.+-]+))*$/
const mimeOf = (value: unknown): string => {
  const mime = cleanLine(value, 100)?.toLowerCase() ?? ''
  return mimePattern.test(mime) ? mime : 'application/octet-stream'
}

/** Webhooks contain the digest as base64, media info as hex. @see Meta, "Media" */
const digestOf = (value: unknown): string | undefined => {
  const digest = asText(value)
  if (digest === undefined) return undefined
  if (/^[0-9a-f]{64}$/i.test(digest)) return digest.toLowerCase()
  const bytes = Buffer.from(digest, 'base64')
  return bytes.length === 32 ? bytes.toString('hex') : undefined
}

const mediaOf = (part: Json): InboundMedia | undefined => {
  const providerId = asId(part.id)
  if (providerId === undefined) return undefined
  const media: InboundMedia = { providerId, mime: mimeOf(part.mime_type) }
  const name = cleanLine(part.filename, 240)?.replace(/[/\\]/g, '_')
  if (name !== undefined) media.name = name
  const sha256 = digestOf(part.sha256)
  if (sha256 !== undefined) media.sha256 = sha256
  return media
}

const file =
  (type: 'image' | 'video' | 'audio' | 'document' | 'sticker'): Reader =>
  part => {
    const media = mediaOf(part)
    if (media === undefined) return undefined
    const caption = cleanText(part.caption)
    return {
      type: type === 'audio' && part.voice === true ? 'voice' : type,
      text: caption !== '' ? caption : type === 'document' ? (media.name ?? '') : '',
      media,
    }
  }

const location: Reader = part => {
  const latitude = asNumber(part.latitude)
  const longitude = asNumber(part.longitude)
  if (latitude === undefined || longitude === undefined || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return undefined
  const name = cleanLine(part.name)
  const address = cleanLine(part.address, 500)
  const url = webAddress(part.url)
  return {
    type: 'location',
    text: name ?? address ?? '',
    content: {
      location: {
        latitude,
        longitude,
        ...(name ? { name } : {}),
        ...(address ? { address } : {}),
        ...(url ? { url } : {}),
      },
    },
  }
}

const choice = (
  kind: 'button' | 'list' | 'quickReply' | 'permission',
  facts: { id: unknown; title: unknown; description?: unknown; until?: string | undefined },
): InboundContent | undefined => {
  const id = cleanLine(facts.id, 1024) ?? null
  const title = cleanText(facts.title, 1024) || id
  if (title === null) return undefined
  const description = cleanText(facts.description, 1024)
  const { until } = facts
  return {
    type: 'choice',
    // The label of a permission dialog is Meta's text, not the customer's.
    text: kind === 'permission' ? '' : title,
    content: { choice: { kind, id, title, ...(description ? { description } : {}), ...(until ? { until } : {}) } },
  }
}

/** A tap on a template's quick reply. If no payload was set when sending, it is the label. */
const button: Reader = part => choice('quickReply', { id: part.payload, title: part.text })

const interactive: Reader = part => {
  const reply = asObject(part[asText(part.type) ?? ''])
  if (reply === undefined) return undefined
  switch (part.type) {
    case 'button_reply':
      return choice('button', { id: reply.id, title: reply.title })
    case 'list_reply':
      return choice('list', { id: reply.id, title: reply.title, description: reply.description })
    case 'nfm_reply':
      return formOf(reply)
    case 'call_permission_reply':
      return choice('permission', {
        id: reply.response,
        title: reply.response,
        until: asTime(reply.expiration_timestamp),
      })
    default:
      return undefined
  }
}

const itemOf = (entry: unknown): OrderItem | undefined => {
  const item = asObject(entry)
  const sku = cleanLine(item?.product_retailer_id)
  if (item === undefined || sku === undefined) return undefined
  const price = asNumber(item.item_price)
  return {
    sku,
    quantity: asNumber(item.quantity) ?? 1,
    ...(price === undefined ? {} : { price }),
    currency: cleanLine(item.currency, 8) ?? '',
  }
}

const order: Reader = part => {
  const items = asList(part.product_items)
    .slice(0, 1000)
    .flatMap(entry => itemOf(entry) ?? [])
  if (items.length === 0) return undefined
  const note = cleanText(part.text)
  return {
    type: 'order',
    text: note,
    content: { order: { catalogId: asId(part.catalog_id) ?? null, ...(note ? { note } : {}), items } },
  }
}

const readers = new Map<string, Reader>([
  ['text', text],
  ['image', file('image')],
  ['video', file('video')],
  ['audio', file('audio')],
  ['voice', file('audio')],
  ['document', file('document')],
  ['sticker', file('sticker')],
  ['location', location],
  ['button', button],
  ['interactive', interactive],
  ['order', order],
])

const referralOf = (message: Json): MessageContent['referral'] => {
  const referral = asObject(message.referral)
  if (referral !== undefined) {
    const picture = webAddress(referral.image_url) ?? webAddress(referral.thumbnail_url)
    const welcome = cleanText(asObject(referral.welcome_message)?.text, 2000)
    const clickId = cleanLine(referral.ctwa_clid, 500)
    return {
      sourceType: cleanLine(referral.source_type, 40) ?? 'ad',
      sourceId: asId(referral.source_id) ?? null,
      url: webAddress(referral.source_url) ?? null,
      headline: cleanLine(referral.headline, 500) ?? null,
      body: cleanText(referral.body, 2000) || null,
      ...(picture ? { picture } : {}),
      ...(welcome ? { welcome } : {}),
      ...(clickId ? { clickId } : {}),
    }
  }
  const product = asObject(asObject(message.context)?.referred_product)
  if (product === undefined) return undefined
  return {
    sourceType: 'product',
    sourceId: cleanLine(product.product_retailer_id) ?? null,
    url: null,
    headline: null,
    body: null,
  }
}

/** Meta's names and ours for content that Meta does not pass on. */
const withheld: Readonly<Record<string, NonNullable<MessageContent['withheld']>>> = {
  edit: 'edit',
  poll: 'poll',
  poll_creation: 'poll',
  poll_update: 'poll',
  view_once: 'viewOnce',
  ephemeral: 'viewOnce',
}
/** Meta could not fetch the sender's file, or it is too large. */
const fileLost = 131052

const withheldOf = (message: Json): InboundContent => {
  const named = asText(asObject(message.unsupported)?.type) ?? (message.type === 'ephemeral' ? 'ephemeral' : '')
  const isFile = asList(message.errors).some(error => asObject(error)?.code === fileLost)
  const kind = isFile ? 'file' : Object.hasOwn(withheld, named) ? withheld[named] : undefined
  return { type: 'unsupported', text: '', content: { raw: rawJson(message), ...(kind ? { withheld: kind } : {}) } }
}

/** Parts that identify a type; `interactive` before `button`, which it contains in some shapes. */
const typesByPart = ['contacts', 'system', 'reaction', 'edit', 'revoke', 'interactive', ...readers.keys()]

const isPart = (value: unknown): boolean => asObject(value) !== undefined || asList(value).length > 0

/** Adds the type to messages of older shapes, which lack it, by the part they contain. */
export const withType = (message: Json): Json => {
  if (asText(message.type) !== undefined) return message
  const type = typesByPart.find(key => isPart(message[key]))
  return type === undefined ? message : { ...message, type }
}

/** Adds what any kind may have: the advertisement or product it refers to, and that it was forwarded. */
const withOrigin = (body: InboundContent, message: Json): InboundContent => {
  const context = asObject(message.context)
  const referral =
    message.referral === undefined && context?.referred_product === undefined ? undefined : referralOf(message)
  const forwardedOften = context?.frequently_forwarded === true
  const forwarded = context?.forwarded === true || forwardedOften
  if (referral === undefined && !forwarded) return body
  return {
    ...body,
    content: {
      ...body.content,
      ...(referral ? { referral } : {}),
      ...(forwarded ? { forwarded } : {}),
      ...(forwardedOften ? { forwardedOften } : {}),
    },
  }
}

const newsKinds = new Map<unknown, NonNullable<MessageContent['news']>['kind']>([
  ['user_changed_number', 'number'],
  ['customer_changed_number', 'number'],
  ['user_changed_user_id', 'userId'],
  ['customer_identity_changed', 'identity'],
])

/** `text` is Meta's sentence, always in English. */
const newsOf = (message: Json): InboundContent => {
  const system = asObject(message.system)
  return {
    type: 'system',
    text: cleanText(system?.body),
    content: { news: { kind: newsKinds.get(system?.type) ?? 'other' } },
  }
}

const bodyOf = (type: string | undefined, message: Json): InboundContent => {
  switch (type) {
    case undefined:
      break
    case 'contacts': {
      const cards = contactsOf(message.contacts)
      if (cards !== undefined) return cards
      break
    }
    case 'system':
      return newsOf(message)
    case 'request_welcome':
      return { type: 'welcome', text: '' }
    // What Meta does not pass on: polls, view-once and disappearing messages, edits outside coexistence.
    case 'unsupported':
    case 'ephemeral':
      return withheldOf(message)
    case 'media_placeholder':
      return { type: 'unsupported', text: '', content: { raw: rawJson(message), withheld: 'pastFile' } }
    default: {
      const read = readers.get(type)
      const part = read && asObject(message[type])
      const body = part && read(part, message)
      if (body !== undefined) return body
    }
  }
  // Errors instead of content, such as 131052: Meta could not deliver it to us.
  if (Array.isArray(message.errors)) return withheldOf(message)
  return { type: 'unknown', text: '', content: { raw: rawJson(message) } }
}

/**
 * The content of a message of any kind. An unknown kind, or one that lacks needed parts, becomes `unknown` with its
 * JSON, so that people see that something arrived.
 * @see Meta, "Webhooks › messages reference"
 */
export const contentOf = (message: Json): InboundContent => withOrigin(bodyOf(asText(message.type), message), message)

/** The new text of an edited message: body or caption. Undefined: none. */
export const editedText = (edit: Json): string | undefined => {
  const given = asObject(edit.message)
  const message = given && withType(given)
  const part = asObject(message?.[asText(message.type) ?? 'text'])
  const changed = part?.body ?? part?.caption
  return typeof changed === 'string' ? cleanText(changed) : undefined
}
