import { memo } from 'react'
import { Link } from 'react-router'
import { Avatar } from '#client/ui/avatar.tsx'
import { Icon } from '#client/ui/icon.tsx'
import type { Conversation } from '#shared/inbox.ts'
import type { Language } from '#shared/language.ts'
import { paths } from '#shared/paths.ts'
import { rowTime, timeLeft } from '#shared/time.ts'
import { Ticks } from './ticks.tsx'
import { type InboxT, kindIcon, previewOf } from './words.ts'

const windowWarningMs = 2 * 60 * 60 * 1000

export interface RowProps {
  conversation: Conversation
  slug: string
  /** What the list shows, as the address says it: a chat opens beside the same list. */
  filter: string
  selected: boolean
  draft: string | undefined
  now: number
  timeZone: string
  language: Language
  t: InboxT
}

const Preview = ({ conversation, draft, t }: Pick<RowProps, 'conversation' | 'draft' | 't'>) => {
  if (draft)
    return (
      <span className="row-last row-draft">
        <span className="cut">
          <em>{t('row.draft')}</em> {draft}
        </span>
      </span>
    )
  const last = conversation.lastMessage
  if (!last) return <span className="row-last" />
  const icon = kindIcon[last.type]
  const failed = last.direction === 'out' && last.status === 'failed'
  return (
    <span className={failed ? 'row-last row-failed' : 'row-last'}>
      <Ticks t={t} direction={last.direction} status={last.status} />
      {icon ? <Icon name={icon} /> : null}
      <span className="cut">{previewOf(t, last)}</span>
    </span>
  )
}

const ControlChip = ({ conversation, t }: Pick<RowProps, 'conversation' | 't'>) => {
  if (conversation.control === 'needsHuman')
    return (
      <span className="chip chip-amber row-control" title={t('control.needsHuman')}>
        <Icon name="person" />
        <span>{t('control.needsHuman')}</span>
      </span>
    )
  if (conversation.control === 'bot')
    return (
      <span className="chip chip-violet row-control" title={t('control.bot')}>
        <Icon name="bot" />
        <span>{t('control.bot')}</span>
      </span>
    )
  return null
}

/** Only near its end: a window with hours left is no news. */
const WindowChip = ({ conversation, now }: Pick<RowProps, 'conversation' | 'now'>) => {
  if (!conversation.windowClosesAt) return null
  const left = Date.parse(conversation.windowClosesAt) - now
  if (left <= 0 || left > windowWarningMs) return null
  return (
    <span className="chip chip-orange">
      <Icon name="clock" />
      {timeLeft(left)}
    </span>
  )
}

/** One conversation of the list, plain elements with static styles: the hottest markup of the product. */
export const Row = memo(({ conversation, slug, filter, selected, draft, now, timeZone, language, t }: RowProps) => {
  const at = conversation.lastMessage?.at
  const unread = conversation.unread
  return (
    <Link
      to={paths.chat(slug, conversation.phone) + filter}
      className={unread ? 'row row-unread' : 'row'}
      aria-current={selected ? 'true' : undefined}
      preventScrollReset
    >
      <Avatar name={conversation.name} of={conversation.phone} />
      <span className="row-line">
        <span className="row-who cut">{conversation.name}</span>
        <WindowChip conversation={conversation} now={now} />
        <time className="row-time" dateTime={at}>
          {at ? (rowTime(at, now, language, timeZone) ?? t('row.yesterday')) : null}
        </time>
      </span>
      <span className="row-line">
        <Preview conversation={conversation} draft={draft} t={t} />
        <ControlChip conversation={conversation} t={t} />
        {unread ? (
          <span className="count" role="img" aria-label={t('row.unread', { count: unread })}>
            {unread > 99 ? '99+' : unread}
          </span>
        ) : null}
      </span>
    </Link>
  )
})
