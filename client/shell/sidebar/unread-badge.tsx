import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { shortCount } from '#client/ui/text/short-count.ts'
import { maxCounted } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import { useEvents } from '../live-provider.tsx'
import { createUnreadRefresh, unreadQuery } from './unread-count.ts'

/** Updates the count on pages that do not load the chats. */
export function UnreadEvents({ org }: { org: string }) {
  const client = useQueryClient()
  const refresh = useRef<ReturnType<typeof createUnreadRefresh>>(undefined)
  useEffect(() => {
    const made = createUnreadRefresh(client, org)
    refresh.current = made
    return made.stop
  }, [client, org])
  const changed = () => refresh.current?.changed()
  useEvents({ message: changed, conversation: changed, visibility: changed }, changed)
  return null
}

/** Id of the description of the link to the chats, whose name stays the same. */
export const unreadBadgeId = 'side-unread'

/** Shows the number of unread chats next to their link. The page does not wait for it. */
export function UnreadBadge({ org }: { org: string }) {
  const { t, i18n } = useTranslation('shell')
  const unread = useOptionalAnswer(unreadQuery(org))?.conversations ?? 0
  if (!unread) return null
  return (
    <>
      <b className="count side-count" aria-hidden="true">
        {shortCount(unread, i18n.language as Language, unread >= maxCounted)}
      </b>
      <i id={unreadBadgeId} hidden>
        {t('side.unread', { count: unread })}
      </i>
    </>
  )
}
