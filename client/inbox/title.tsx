import { useQuery } from '@tanstack/react-query'
import { PRODUCT_NAME } from '#shared/product.ts'
import { conversationQuery, conversationsQuery, flatConversations } from './queries.ts'
import type { InboxT } from './words.ts'

const openConversations = { archived: false, search: '' }

/** `(2) Lucía Méndez · Recado`: whom the tab writes to, and how many of the loaded chats have something unread. It asks nothing itself. */
export const InboxTitle = ({ org, phone, t }: { org: string; phone: string | undefined; t: InboxT }) => {
  const { data: conversation } = useQuery({ ...conversationQuery(org, phone ?? ''), enabled: false })
  const { listOf: _, ...openOnes } = conversationsQuery(org, openConversations)
  const { data: pages } = useQuery({ ...openOnes, enabled: false })
  const unread = pages ? flatConversations(pages).filter(row => row.unread > 0 && row.phone !== phone).length : 0
  const name = (phone && conversation?.name) || t('title')
  return <title>{`${unread ? `(${unread}) ` : ''}${name} · ${PRODUCT_NAME}`}</title>
}
