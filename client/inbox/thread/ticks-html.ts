import type { InboxT } from '#client/inbox/words.ts'
import type { IconName } from '#client/ui/pictures/icon.tsx'
import { iconHtml } from '#client/ui/pictures/icon-html.ts'
import { type Html, html } from '#client/ui/text/html.ts'
import type { MessageDirection, MessageStatus } from '#shared/inbox/messages.ts'

const icons: Record<Exclude<MessageStatus, 'received'>, IconName> = {
  queued: 'clock',
  sent: 'tick',
  delivered: 'ticks',
  read: 'ticks',
  failed: 'warn',
}

/** WhatsApp's own vocabulary: clock, one tick, two ticks, two in colour; each with its word for those who don't see it. */
export const ticksHtml = (t: InboxT, direction: MessageDirection, status: MessageStatus): Html | null => {
  if (direction === 'in' || status === 'received') return null
  const word = t(`status.${status}`)
  return html`<span class="ticks ticks-${status}" role="img" aria-label="${word}" title="${word}">${iconHtml(icons[status])}</span>`
}
