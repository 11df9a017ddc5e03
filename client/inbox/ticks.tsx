import { Icon, type IconName } from '#client/ui/icon.tsx'
import type { Direction, MessageStatus } from '#shared/inbox.ts'
import type { InboxT } from './words.ts'

const icons: Record<Exclude<MessageStatus, 'received'>, IconName> = {
  queued: 'clock',
  sent: 'tick',
  delivered: 'ticks',
  read: 'ticks',
  failed: 'warn',
}

/** WhatsApp's own vocabulary: clock, one tick, two ticks, two in colour; each with its word for those who don't see it. */
export const Ticks = ({ t, direction, status }: { t: InboxT; direction: Direction; status: MessageStatus }) =>
  direction === 'in' || status === 'received' ? null : (
    <span
      className={`ticks ticks-${status}`}
      role="img"
      aria-label={t(`status.${status}`)}
      title={t(`status.${status}`)}
    >
      <Icon name={icons[status]} />
    </span>
  )
