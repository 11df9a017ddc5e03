import { readableTypes, readContent } from '../kinds/registry.ts'
import { unknownOf, withheldOf } from '../kinds/unreadable.ts'
import { asId, asList, asObject, asText, cleanLine, cleanText, type Json, webAddress } from '../scalars.ts'
import type { InboundContent, MessageContent } from './inbound.ts'

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

/** Parts that identify a type; `interactive` before `button`, which it contains in some shapes. */
const typesByPart = ['contacts', 'system', 'reaction', 'edit', 'revoke', 'interactive', ...readableTypes]

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

const bodyOf = (type: string | undefined, message: Json): InboundContent => {
  const read = type === undefined ? undefined : readContent(type, message)
  if (read !== undefined) return read
  // Errors instead of content, such as 131052: Meta could not deliver it to us.
  return Array.isArray(message.errors) ? withheldOf(message) : unknownOf(message)
}

/**
 * The content of a message of any kind. An unknown kind, or one that lacks needed parts, becomes `unknown` with its
 * JSON, so that people see that something arrived.
 * @see Meta, "Webhooks › messages reference"
 */
export const readMessageContent = (message: Json): InboundContent =>
  withOrigin(bodyOf(asText(message.type), message), message)

/** The new text of an edited message: body or caption. Undefined: none. */
export const editedText = (edit: Json): string | undefined => {
  const given = asObject(edit.message)
  const message = given && withType(given)
  const part = asObject(message?.[asText(message.type) ?? 'text'])
  const changed = part?.body ?? part?.caption
  return typeof changed === 'string' ? cleanText(changed) : undefined
}
