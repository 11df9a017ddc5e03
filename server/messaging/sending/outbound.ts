import { inboxErrors } from '#server/messaging/errors.ts'
import { identifierOfAddress } from '#server/messaging/identifier.ts'
import { readSentFile } from '#server/messaging/media/sent-file.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { fault, requireNamedHost, wordsBeside } from '#server/whatsapp/kinds/asked.ts'
import type { Shown } from '#server/whatsapp/kinds/kind.ts'
import { type AskedContent, readAsked } from '#server/whatsapp/kinds/registry.ts'
import { actionMessageType } from '#shared/inbox/message-actions.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import type { SentTemplate } from '#shared/outbound/api.ts'
import { type AskedAction, readAction } from './asked-action.ts'

const readActionMessage = (body: SendMessage): AskedAction | Extract<OutboundMessage, { type: 'interactive' }> => {
  const asked = readAction(body)
  const words = wordsBeside(body, asked.label)
  if ('action' in asked) return { type: 'askedAction', body: words, ...asked }
  // WhatsApp sets the label of a product button.
  if ('product' in asked) return { type: 'interactive', body: words, interactive: { product: asked.product } }
  requireNamedHost(asked.url, 'data.url')
  return { type: 'interactive', body: words, interactive: { link: { title: asked.label, url: asked.url } } }
}

/** The message with its button, whose id contains the message's id. */
export const withButton = (
  { body, label, action }: AskedAction,
  id: string,
): Extract<OutboundMessage, { type: 'interactive' }> => ({
  type: 'interactive',
  body,
  interactive: { buttons: [{ id, title: label }] },
  action,
})

/** A requested template. Its text is known when the templates feature has filled in the values. */
export interface AskedTemplate {
  type: 'askedTemplate'
  template: string
  language?: string | undefined
  body: NonNullable<SendMessage['bodyExample']>
  header?: SendMessage['headerExample']
  image?: string | undefined
  fileName?: string | undefined
  location?: SendMessage['location']
  offerEndsAt?: string | undefined
  buttons?: SendMessage['buttonExample']
  cards?: SendMessage['cardExample']
}

/** A template that the templates feature has filled in. */
export interface ReadyTemplate {
  id: string
  message: Record<string, unknown>
  text: string
  shown: SentTemplate
}

const readTemplate = (body: SendMessage): AskedTemplate => {
  const missing = (['template', 'phones', 'bodyExample'] as const).filter(field => body[field] === undefined)
  if (missing.length)
    throw new InvalidInput(missing.map(field => ({ field: `body.${field}`, code: 'required', params: {} })))
  const to = identifierOfAddress(body.numberTel)
  if (to?.kind !== 'conversation' && identifierOfAddress(body.phones?.[0] ?? '')?.key !== to?.key)
    throw fault('phones', 'invalid')
  return {
    type: 'askedTemplate',
    template: body.template as string,
    language: body.language,
    body: body.bodyExample as NonNullable<SendMessage['bodyExample']>,
    header: body.headerExample,
    image: body.image,
    fileName: body.name,
    location: body.location,
    offerEndsAt: body.offerEndsAt,
    buttons: body.buttonExample,
    cards: body.cardExample,
  }
}

/** A requested file. It belongs to the message once the message is stored. */
export interface AskedFile {
  type: 'askedFile'
  received: ReceivedFile
  mime: string
  name: string
  sent: SentFile
}
type SentFile = Extract<OutboundMessage, { type: 'file' }>

const readFile = (body: SendMessage, received: ReceivedFile | undefined): AskedFile => {
  if (!received) {
    const missing = [{ field: 'body.file', code: 'required', params: {}, text: 'errors:field.fileMissing' }]
    const name = { field: 'body.name', code: 'required', params: {} }
    throw new InvalidInput(body.name ? missing : [...missing, name])
  }
  const { kind, mime, name, caption } = readSentFile(received, body)
  return {
    type: 'askedFile',
    received,
    mime,
    name,
    sent: { type: 'file', kind, fileId: received.id, name, ...(caption ? { caption } : {}) },
  }
}

/**
 * The message that a request body describes. @throws INBOX_MESSAGE_TYPE_UNSUPPORTED for an unknown type; InvalidInput
 * naming the field.
 */
export function readOutbound(
  body: SendMessage,
  received?: ReceivedFile,
): AskedContent | AskedTemplate | AskedFile | AskedAction {
  // Otherwise the file would be dropped silently.
  if ((received || body.file) && body.type !== 'file') throw fault('file', 'unknown')
  const type = body.type ?? 'text'
  if (type === 'file') return readFile(body, received)
  if (type === 'template') return readTemplate(body)
  if (type === actionMessageType) return readActionMessage(body)
  const asked = readAsked(type, body)
  if (!asked) throw inboxErrors.MESSAGE_TYPE_UNSUPPORTED()
  return asked
}

/** The content with which the thread shows a sent template, its values filled in. */
export const shownTemplate = ({ text, shown }: ReadyTemplate): Shown => ({
  type: 'template',
  text,
  content: { template: shown },
})
