import './scheduled.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addressOfConversation, addressOfEvent } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { scheduledQuery } from './query.ts'
import { useMomentText } from './use-moment-text.ts'

const ScheduledDialog = lazyDialog(() => import('./list-dialog.tsx'))

/** Above the composer: scheduled messages, or ones that could not be sent. Nothing if there are none. */
export default function ScheduledLine({
  conversation,
  onOpen,
}: {
  conversation: Conversation
  /** Called before the list opens, so that the focus returns to where the person writes. */
  onOpen(): void
}) {
  const { t } = useTranslation('inbox')
  const { slug } = useOrg()
  const client = useQueryClient()
  const momentText = useMomentText()
  const phone = addressOfConversation(conversation)
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(scheduledQuery(slug, phone))
  const refresh = () => void client.invalidateQueries({ queryKey: scheduledQuery(slug, phone).queryKey })
  useEvents({ scheduled: event => addressOfEvent(event) === phone && refresh() }, refresh)
  const items = data?.items ?? []
  const held = items.filter(one => one.held).length
  const next = items.find(one => !one.held)
  return (
    <>
      {items.length ? (
        <div className="scheduled-line">
          <button
            type="button"
            className={held ? 'chip chip-amber' : 'chip'}
            onClick={() => {
              onOpen()
              setOpen(true)
            }}
          >
            <Icon name={held ? 'warn' : 'calendar'} />
            <span className="cut">
              {held || !next
                ? t('scheduled.lineHeld', { count: held })
                : t('scheduled.line', { count: items.length, when: momentText(next.at) })}
            </span>
          </button>
        </div>
      ) : null}
      {isOpen ? <ScheduledDialog conversation={conversation} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
