import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import type { MessageContent } from '#server/whatsapp/inbound.ts'
import { actionMessageType } from '#shared/inbox/message-actions.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { Message } from '#shared/inbox/messages.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { type ButtonInput, type Interactive, outboundLimits, type SentTemplate } from '#shared/outbound/api.ts'
import { type AskedAction, readAction } from '../actions/asked.ts'
import { identifierOfAddress } from '../contacts/identifier.ts'
import { inboxErrors } from '../errors.ts'
import { readSentFile } from '../media/sent-file.ts'

const fault = (field: string, code: string, params: FieldFault['params'] = {}): InvalidInput =>
  new InvalidInput([{ field: `body.${field}`, code, params }])

/** The body's words. @throws InvalidInput when they are missing or longer than this kind may be. */
const requireWords = (body: SendMessage, max: number): string => {
  if (!body.message || !isSeen(body.message)) throw fault('message', 'required')
  if ([...body.message].length > max) throw fault('message', 'maxLength', { limit: max })
  return body.message
}

const requireUnique = (values: readonly string[], field: string) => {
  if (new Set(values).size !== values.length) throw fault(field, 'uniqueItems')
}

/** Meta refuses addresses whose host is a number. */
const requireNamedHost = (url: string, field: string) => {
  if (!URL.canParse(url) || /^[\d.]+$|^\[/.test(new URL(url).hostname)) throw fault(field, 'format')
}

const readButtons = (buttons: NonNullable<ButtonInput['buttons']>): Interactive['buttons'] => {
  const read = buttons.map(({ id, title }, i) => ({ id: id ?? String(i + 1), title }))
  requireUnique(
    read.map(({ id }) => id),
    'button.buttons',
  )
  requireUnique(
    read.map(({ title }) => title),
    'button.buttons',
  )
  return read
}

const readList = ({ title, sections }: NonNullable<ButtonInput['list']>): Interactive['list'] => {
  let place = 0
  const read = sections.map((section, i) => {
    if (sections.length > 1 && !section.title) throw fault(`button.list.sections.${i}.title`, 'required')
    const rows = section.rows.map(row => {
      place += 1
      return { ...row, id: row.id ?? String(place) }
    })
    return { ...(section.title ? { title: section.title } : {}), rows }
  })
  if (place > outboundLimits.rows) throw fault('button.list.sections', 'maxItems', { limit: outboundLimits.rows })
  requireUnique(
    read.flatMap(({ rows }) => rows.map(({ id }) => id)),
    'button.list.sections',
  )
  return { title, sections: read }
}

const readInteractive = (body: SendMessage): Extract<OutboundMessage, { type: 'interactive' }> => {
  const { button } = body
  if (!button) throw fault('button', 'required')
  const { buttons, list, link, ...frame } = button
  if ([buttons, list, link].filter(Boolean).length !== 1) throw fault('button', 'anyOf')
  if (link) requireNamedHost(link.url, 'button.link.url')
  return {
    type: 'interactive',
    body: requireWords(body, list ? outboundLimits.listBody : outboundLimits.interactiveBody),
    interactive: {
      ...frame,
      ...(buttons ? { buttons: readButtons(buttons) } : {}),
      ...(list ? { list: readList(list) } : {}),
      ...(link ? { link } : {}),
    },
  }
}

/** The body's words; WhatsApp wants some beside a button, so where there are none its label says them. */
const wordsBeside = (body: SendMessage, label: string): string =>
  body.message && isSeen(body.message) ? requireWords(body, outboundLimits.interactiveBody) : label

const readActionMessage = (body: SendMessage): AskedAction | Extract<OutboundMessage, { type: 'interactive' }> => {
  const asked = readAction(body)
  const words = wordsBeside(body, asked.label)
  if ('action' in asked) return { type: 'askedAction', body: words, ...asked }
  // WhatsApp words its button by itself.
  if ('product' in asked) return { type: 'interactive', body: words, interactive: { product: asked.product } }
  requireNamedHost(asked.url, 'data.url')
  return { type: 'interactive', body: words, interactive: { link: { title: asked.label, url: asked.url } } }
}

/** The message once it has an id, and with it its button. */
export const withButton = (
  { body, label, action }: AskedAction,
  id: string,
): Extract<OutboundMessage, { type: 'interactive' }> => ({
  type: 'interactive',
  body,
  interactive: { buttons: [{ id, title: label }] },
  action,
})

/** A template that is asked for: what it says is known once its room has put the values in. */
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

/** What the room of templates makes of it. */
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

/** A file that is asked for: it is the message's once that is stored. */
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
 * What the body of a send asks for.
 * @throws INBOX_MESSAGE_TYPE_UNSUPPORTED for a type there is none of; InvalidInput naming the field.
 */
export function readOutbound(
  body: SendMessage,
  received?: ReceivedFile,
): Exclude<OutboundMessage, { type: 'file' | 'linked' | 'template' }> | AskedTemplate | AskedFile | AskedAction {
  // A file that is not asked for would be lost without a word.
  if ((received || body.file) && body.type !== 'file') throw fault('file', 'unknown')
  switch (body.type ?? 'text') {
    case 'text':
      return { type: 'text', text: requireWords(body, outboundLimits.text) }
    case 'button':
      return readInteractive(body)
    case actionMessageType:
      return readActionMessage(body)
    case 'file':
      return readFile(body, received)
    case 'template':
      return readTemplate(body)
    case 'location':
      if (!body.location) throw fault('location', 'required')
      return { type: 'location', location: body.location }
    case 'contacts':
      if (!body.contacts) throw fault('contacts', 'required')
      return { type: 'contacts', contacts: body.contacts }
    default:
      throw inboxErrors.MESSAGE_TYPE_UNSUPPORTED()
  }
}

export interface Shown {
  type: Message['type']
  /** What lists and searches see. */
  text: string
  content?: MessageContent
}

/** How the thread shows what is sent; the same shapes as what comes in. */
export function shownOf(content: Exclude<OutboundMessage, { type: 'template' }>): Shown {
  switch (content.type) {
    case 'text':
      return content
    case 'linked':
      return { type: 'text', text: [content.caption, content.url].filter(Boolean).join('\n') }
    case 'file':
      return { type: content.kind, text: content.caption ?? (content.kind === 'document' ? (content.name ?? '') : '') }
    case 'location': {
      const { location } = content
      return { type: 'location', text: location.name ?? location.address ?? '', content: { location } }
    }
    case 'contacts': {
      const cards = content.contacts.map(({ emails = [], ...card }) => ({ ...card, emails }))
      return { type: 'contacts', text: cards[0]?.name ?? '', content: { contacts: cards } }
    }
    case 'interactive':
      return { type: 'interactive', text: content.body, content: { interactive: content.interactive } }
  }
}

/** A template's own way of being shown: its words with the values in them. */
export const shownTemplate = ({ text, shown }: ReadyTemplate): Shown => ({
  type: 'template',
  text,
  content: { template: shown },
})
