import type { IconName } from '#client/ui/pictures/icon.tsx'
import { iconHtml } from '#client/ui/pictures/icon-html.ts'
import { type Html, html } from '#client/ui/text/html.ts'
import type { MessageDirection, MessageStatus } from '#shared/inbox/messages.ts'
import type { InboxT } from '../../words.ts'

const icons: Record<Exclude<MessageStatus, 'received'>, IconName> = {
  queued: 'clock',
  sent: 'tick',
  delivered: 'ticks',
  read: 'ticks',
  failed: 'warn',
}

/** WhatsApp's status marks: clock, one tick, two ticks, two coloured ticks, each with a text for screen readers. */
export const ticksHtml = (t: InboxT, direction: MessageDirection, status: MessageStatus): Html | null => {
  if (direction === 'in' || status === 'received') return null
  const word = t(`status.${status}`)
  return html`<span class="ticks ticks-${status}" role="img" aria-label="${word}" title="${word}">${iconHtml(icons[status])}</span>`
}
