import './control-bar.css'
import { useState } from 'react'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { startOfMinute, timeLeft } from '#shared/kernel/time.ts'
import { isWindowClosing, useSendWindowTemplate, useWindowTemplate } from '../../window-template.ts'
import type { InboxT } from '../../words.ts'

interface ClosingBarProps {
  readonly org: string
  readonly conversation: Conversation
  readonly canReply: boolean
  readonly t: InboxT
}

/** Offers the organization's template while the window closes on a customer without an answer. */
export const ClosingBar = ({ org, conversation, canReply, t }: ClosingBarProps) => {
  const { now } = useMoment()
  const { lastMessage, windowClosesAt, control } = conversation
  const isUnanswered = lastMessage?.direction === 'in' || control === 'needsHuman'
  const isClosing = canReply && isUnanswered && !conversation.group && isWindowClosing(conversation, now)
  const template = useWindowTemplate(org, isClosing)
  const send = useSendWindowTemplate()
  const [isBusy, setIsBusy] = useState(false)
  if (!isClosing || !template) return null
  const press = () => {
    if (isBusy) return
    setIsBusy(true)
    void send([conversation.id]).finally(() => setIsBusy(false))
  }
  return (
    <aside className="control-bar control-closing" aria-label={t('windowTemplate.label')}>
      <Icon name="clock" />
      <p>{t('windowTemplate.closes', { time: timeLeft(Date.parse(windowClosesAt ?? '') - startOfMinute(now)) })}</p>
      <button type="button" className="button" aria-disabled={isBusy} onClick={press}>
        <Icon name="form" />
        <span className="cut">{t('windowTemplate.send', { name: template })}</span>
      </button>
    </aside>
  )
}
