import type { TFunction } from 'i18next'
import type { IconName } from '#client/ui/icon.tsx'
import type { LastMessage, Message, MessageType } from '#shared/inbox.ts'

export type InboxT = TFunction<'inbox'>

/** The drawing that stands for a kind of message where its content has no room. */
export const kindIcon: Partial<Record<MessageType, IconName>> = {
  image: 'image',
  video: 'video',
  audio: 'mic',
  voice: 'mic',
  document: 'file',
  sticker: 'sticker',
  location: 'pin',
  contacts: 'card',
  interactive: 'choice',
  choice: 'choice',
  form: 'form',
  order: 'cart',
  template: 'form',
  system: 'info',
  note: 'lock',
  welcome: 'hand',
  unsupported: 'warn',
  unknown: 'warn',
}

/** What a row says of a message: its words, else the name of its kind. */
export const previewOf = (t: InboxT, message: Pick<LastMessage, 'text' | 'type'>): string => {
  if (message.type === 'note' && !message.text) return t('note.deleted')
  if (message.type === 'choice' && message.text) return t('kind.chose', { title: message.text })
  if (message.type === 'unsupported' || message.type === 'unknown') return t(`kind.${message.type}`)
  return message.text || t(`kind.${message.type}`)
}

/** The reason of a failure, ready to read. */
export const failureOf = (t: InboxT, message: Message): string | null => {
  if (message.unconfirmed && message.status !== 'failed') return t('status.unconfirmed')
  return message.status === 'failed' ? (message.error?.message ?? t('status.failed')) : null
}
