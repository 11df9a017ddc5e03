import { useQuery } from '@tanstack/react-query'
import { useKnownAnswer } from '#client/app/use-answer.ts'
import { unreadQuery } from '#client/shell/unread-count.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { conversationQuery } from './queries.ts'
import type { InboxT } from './words.ts'

const maxShown = 99

/** `(2) Lucía Méndez · Recado`: the customer, and how many other chats are unread. */
export const InboxTitle = ({ org, phone, t }: { org: string; phone: string | undefined; t: InboxT }) => {
  const conversation = useKnownAnswer(conversationQuery(org, phone ?? ''))
  // Not in the first HTML: the page does not wait for a count in its title.
  const { data: counted } = useQuery({ ...unreadQuery(org), enabled: typeof window !== 'undefined' })
  const isOpenUnread = phone && conversation && conversation.unread > 0 && !conversation.archived
  const others = counted ? counted.conversations - (isOpenUnread ? 1 : 0) : 0
  const name = (phone && conversation?.name) || t('title')
  const count = others > maxShown ? `(${maxShown}+) ` : others > 0 ? `(${others}) ` : ''
  return <title>{`${count}${name} · ${PRODUCT_NAME}`}</title>
}
