import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { unreadQuery } from '#client/shell/sidebar/unread-count.ts'
import { shortCount } from '#client/ui/text/short-count.ts'
import { maxCounted } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { conversationQuery } from './queries.ts'
import type { InboxT } from './words.ts'

/** `(2) Lucía Méndez · Recado`: the customer, and how many other chats are unread. */
export const InboxTitle = ({ org, phone, t }: { org: string; phone: string | undefined; t: InboxT }) => {
  const language = useTranslation().i18n.language as Language
  const conversation = useKnownAnswer(conversationQuery(org, phone ?? ''))
  // Not in the first HTML: the page does not wait for a count in its title.
  const { data: counted } = useQuery({ ...unreadQuery(org), enabled: typeof window !== 'undefined' })
  const isOpenUnread = phone && conversation && conversation.unread > 0 && !conversation.archived
  const others = counted ? counted.conversations - (isOpenUnread ? 1 : 0) : 0
  const name = (phone && conversation?.name) || t('title')
  const count = others > 0 ? `(${shortCount(others, language, others >= maxCounted - 1)}) ` : ''
  return <title>{`${count}${name} · ${PRODUCT_NAME}`}</title>
}
