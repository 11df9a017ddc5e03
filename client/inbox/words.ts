import type { TFunction } from 'i18next'
import type { IconName } from '#client/ui/pictures/icon.tsx'
import { type MessageType, messageKinds } from '#shared/inbox/message-kinds.ts'
import type { LastMessage, Message } from '#shared/inbox/messages.ts'
import { isPhoneDigits } from '#shared/kernel/phone.ts'

export type InboxT = TFunction<'inbox'>

/** Icons by message type, where the content has no space. */
export const iconOf = (type: MessageType): IconName | undefined => {
  // The server may know a kind that this page does not.
  const facts: (typeof messageKinds)[MessageType] | undefined = messageKinds[type]
  return facts && 'icon' in facts ? facts.icon : undefined
}

/** The text of a notice from WhatsApp, translated, because WhatsApp's own is English. */
export const newsText = (t: InboxT, { news, text }: Pick<Message, 'news'> & { text?: string }): string => {
  const { kind = 'other', from, to } = news ?? {}
  if (kind === 'agentLeft' && text) return t('news.agentLeftSaying', { text })
  if (kind === 'joined' || kind === 'left') return t(`news.${kind}`, { who: to ?? '' })
  if (kind !== 'number') return t(`news.${kind}`)
  if (to === undefined) return t('news.other')
  const params = { from: isPhoneDigits(from ?? '') ? `+${from}` : from, to: isPhoneDigits(to) ? `+${to}` : to }
  return t(from === undefined ? 'news.number' : 'news.numberFrom', params)
}

/** The notice without the previous number, because a row has no space for two. */
const shortNews = ({ news }: Pick<Message, 'news'>): Pick<Message, 'news'> =>
  news?.to === undefined ? { news } : { news: { kind: news.kind, to: news.to } }

/** The text of a call: who called, and whether it was answered. */
export const callText = (t: InboxT, { call, direction }: Pick<Message, 'call' | 'direction'>): string =>
  t(`call.${call?.outcome ?? 'missed'}${direction === 'in' ? 'In' : 'Out'}`)

type Previewed = Pick<LastMessage, 'text' | 'type' | 'news'>

/** Kinds whose row says something else than their words, or else their name. */
const previews: Partial<Record<MessageType, (t: InboxT, message: Previewed) => string>> = {
  system: (t, message) => newsText(t, shortNews(message)),
  revoked: t => t('kind.revoked'),
  reaction: (t, { text }) => t('kind.reacted', { emoji: text }),
  choice: (t, { text }) => (text ? t('kind.chose', { title: text }) : t('kind.answered')),
  note: (t, { text }) => text || t('note.deleted'),
  unsupported: t => t('kind.unsupported'),
  unknown: t => t('kind.unknown'),
}

/** The text of a message in a row of the list. */
export const messagePreview = (t: InboxT, message: Previewed): string =>
  previews[message.type]?.(t, message) ?? (message.text || t(`kind.${message.type}`))

/** The text of a failure. */
export const messageFailure = (t: InboxT, message: Message): string | null => {
  if (message.unconfirmed && message.status !== 'failed') return t('status.unconfirmed')
  return message.status === 'failed' ? (message.error?.message ?? t('status.failed')) : null
}
