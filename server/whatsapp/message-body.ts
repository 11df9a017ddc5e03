import type { OutboundContent } from '#shared/inbox/message-kinds.ts'
import { digitsOf, isBusinessScopedId, isPhoneDigits } from '#shared/kernel/phone.ts'
import type { Interactive, OutboundContact } from '#shared/outbound/api.ts'

/**
 * A message to one customer. `to`: digits, or a business-scoped id. `callback` (at most 512 characters) is returned in
 * every status.
 */
export interface MessageToSend {
  to: string
  content: OutboundContent
  replyToWamid?: string
  /** WhatsApp's id of the uploaded file. */
  uploadedId?: string
  callback?: string
}

/** Meta previews only the first `http(s)` address, and only on request. */
const hasLink = (text: string): boolean => /https?:\/\/\S/i.test(text)

/** A business-scoped id has a field of its own; in `to` Meta would read it as a number. */
const addressee = (to: string) => (isBusinessScopedId(to) ? { recipient: to } : { to: digitsOf(to) })

/** `wa_id` adds a button to chat; it must be a complete number. */
const phonePart = (phone: string) => {
  const digits = digitsOf(phone)
  return { phone, type: 'CELL', ...(phone.startsWith('+') && isPhoneDigits(digits) ? { wa_id: digits } : {}) }
}

/** Meta requires a part of the name besides the full name. */
const contactPart = ({ name, phones, emails, company }: OutboundContact) => ({
  name: { formatted_name: name, first_name: name },
  phones: phones.map(phonePart),
  ...(emails?.length ? { emails: emails.map(email => ({ email, type: 'WORK' })) } : {}),
  ...(company ? { org: { company } } : {}),
})

const actionOf = ({ buttons, list, link, product }: Interactive) => {
  if (list) return { type: 'list', action: { button: list.title, sections: list.sections } }
  if (product)
    return {
      type: 'product',
      action: { catalog_id: product.catalogId, product_retailer_id: product.productRetailerId },
    }
  if (link)
    return {
      type: 'cta_url',
      action: { name: 'cta_url', parameters: { display_text: link.title, url: link.url } },
    }
  return { type: 'button', action: { buttons: (buttons ?? []).map(reply => ({ type: 'reply', reply })) } }
}

const interactivePart = (body: string, interactive: Interactive) => {
  const { type, action } = actionOf(interactive)
  return {
    type,
    ...(interactive.header ? { header: { type: 'text', text: interactive.header } } : {}),
    body: { text: body },
    ...(interactive.footer ? { footer: { text: interactive.footer } } : {}),
    action,
  }
}

type SentFile = Extract<OutboundContent, { type: 'file' }>

/** WhatsApp has no type for voice notes: they are audio with `voice`. */
const typeOf = (content: OutboundContent): string => {
  if (content.type === 'linked') return content.kind
  if (content.type !== 'file') return content.type
  return content.kind === 'voice' ? 'audio' : content.kind
}

const filePart = ({ kind, name, caption }: SentFile, id: string | undefined) => {
  if (id === undefined) throw new Error('messageBody: uploadedId is missing')
  return {
    id,
    ...(caption ? { caption } : {}),
    ...(kind === 'document' && name ? { filename: name } : {}),
    ...(kind === 'voice' ? { voice: true } : {}),
  }
}

const linkedPart = ({ kind, url, name, caption }: Extract<OutboundContent, { type: 'linked' }>) => ({
  link: url,
  ...(caption && kind !== 'audio' ? { caption } : {}),
  ...(kind === 'document' && name ? { filename: name } : {}),
})

const partOf = (content: OutboundContent, uploadedId: string | undefined): Record<string, unknown> => {
  switch (content.type) {
    case 'file':
      return { [typeOf(content)]: filePart(content, uploadedId) }
    case 'linked':
      return { [content.kind]: linkedPart(content) }
    case 'text':
      return { text: { body: content.text, preview_url: hasLink(content.text) } }
    case 'location':
      return { location: content.location }
    case 'contacts':
      return { contacts: content.contacts.map(contactPart) }
    case 'interactive':
      return { interactive: interactivePart(content.body, content.interactive) }
    case 'template':
      return { template: content.template }
    case 'reaction':
      return { reaction: { message_id: content.targetWamid, emoji: content.emoji } }
  }
}

/**
 * The body of a send call. Pure.
 * @see Meta, "Cloud API › Messages"
 */
export const messageBody = ({ to, content, replyToWamid, uploadedId, callback }: MessageToSend) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  ...addressee(to),
  type: typeOf(content),
  ...partOf(content, uploadedId),
  ...(replyToWamid && content.type !== 'reaction' ? { context: { message_id: replyToWamid } } : {}),
  ...(callback ? { biz_opaque_callback_data: callback } : {}),
})
