import type { TFunction } from 'i18next'
import type { IconName } from '#client/ui/pictures/icon.tsx'
import type { MessageType } from '#shared/inbox/message-kinds.ts'
import type { LastMessage, Message } from '#shared/inbox/messages.ts'
import { isPhoneDigits } from '#shared/kernel/phone.ts'

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
  call: 'phone',
  reaction: 'smile',
  revoked: 'close',
  template: 'form',
  system: 'info',
  note: 'lock',
  welcome: 'hand',
  unsupported: 'warn',
  unknown: 'warn',
}

/** What WhatsApp tells of a customer, in our words: its own are English whoever reads. */
export const newsText = (t: InboxT, { news, text }: Pick<Message, 'news'> & { text?: string }): string => {
  const { kind = 'other', from, to } = news ?? {}
  if (kind === 'agentLeft' && text) return t('news.agentLeftSaying', { text })
  if (kind === 'joined' || kind === 'left') return t(`news.${kind}`, { who: to ?? '' })
  if (kind !== 'number') return t(`news.${kind}`)
  if (to === undefined) return t('news.other')
  const params = { from: isPhoneDigits(from ?? '') ? `+${from}` : from, to: isPhoneDigits(to) ? `+${to}` : to }
  return t(from === undefined ? 'news.number' : 'news.numberFrom', params)
}

/** Without the number they had: a row has no room for two. */
const shortNews = ({ news }: Pick<Message, 'news'>): Pick<Message, 'news'> =>
  news?.to === undefined ? { news } : { news: { kind: news.kind, to: news.to } }

/** Whose call, and whether anybody answered. */
export const callText = (t: InboxT, { call, direction }: Pick<Message, 'call' | 'direction'>): string =>
  t(`call.${call?.outcome ?? 'missed'}${direction === 'in' ? 'In' : 'Out'}`)

/** What a row says of a message: its words, else the name of its kind. */
export const previewOf = (t: InboxT, message: Pick<LastMessage, 'text' | 'type' | 'news'>): string => {
  if (message.type === 'system') return newsText(t, shortNews(message))
  if (message.type === 'revoked') return t('kind.revoked')
  if (message.type === 'reaction') return t('kind.reacted', { emoji: message.text })
  if (message.type === 'choice' && !message.text) return t('kind.answered')
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
