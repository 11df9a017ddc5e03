import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { Contact } from '#server/messaging/directory/known-contact.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import type { NewMedia, NewMessage } from '../message-store.ts'

export type Of<K extends WebhookItem['kind']> = Extract<WebhookItem, { kind: K }>

export type Posted = Of<'message'> | Of<'echo'> | Notice

/** An event that WhatsApp reports and nobody wrote. */
export type Notice = Of<'identity'> | Of<'handover'> | Of<'groupChange'>

/** A webhook item that becomes a message, with its contact, conversation and the rows to insert. */
export interface Draft {
  readonly item: Posted
  contact: Contact
  row: ListRow
  message: NewMessage
  media: NewMedia | undefined
}

export const isNotice = (item: WebhookItem): item is Notice =>
  item.kind === 'identity' || item.kind === 'handover' || item.kind === 'groupChange'
