import { memo } from 'react'
import { html } from '#client/ui/html.ts'
import { Icon } from '#client/ui/icon.tsx'
import { iconHtml } from '#client/ui/icon-html.ts'
import { Markup, useMarkup } from '#client/ui/markup.tsx'
import type { Message } from '#shared/inbox.ts'
import { clockTime } from '#shared/time.ts'
import { BubbleBody } from './bubble-body.tsx'
import { aboveHtml, belowHtml, linkedHtml } from './bubble-html.ts'
import { DeliveryNote, hasDeliveryNote } from './delivery-note.tsx'
import { type InboxT, previewOf } from './words.ts'

/** A message somebody is about to react to, and where that was asked for. */
export interface Reacting {
  message: Message
  anchor: HTMLElement
}

export interface BubbleProps {
  message: Message
  /** The one before came from the same hand just now: drawn closer, without a corner. */
  joined: boolean
  timeZone: string
  t: InboxT
  onReply?: ((message: Message) => void) | undefined
  /** Opens the emojis beside the button that was pressed. */
  onReact?: ((reacting: Reacting) => void) | undefined
  onRetry?: ((message: Message) => void) | undefined
  /** Given up before the server had it: only for what still lies in this browser. */
  onDiscard?: ((message: Message) => void) | undefined
  /** Taken back while it waits on the server. */
  onCancel?: ((message: Message) => void) | undefined
  onRetryMedia?: ((message: Message) => void) | undefined
}

/** A line in the middle: what happened, not what was said. */
const SystemLine = ({ message, timeZone, t }: BubbleProps) => (
  <div className="happened" data-message={message.id}>
    <Icon name="info" />
    <span>
      {previewOf(t, message)} · <time dateTime={message.at}>{clockTime(message.at, timeZone)}</time>
    </span>
  </div>
)

const noMarkup = html``
const replyIcon = iconHtml('reply')
const reactIcon = iconHtml('smile')

/** What reacts to nothing by itself is one text; files and folded parts stand as elements between two. */
const Said = ({ message, joined, timeZone, t, onRetryMedia }: BubbleProps) => {
  const above = aboveHtml(message, t)
  const below = belowHtml(message, joined, timeZone, t)
  const isText = message.type === 'text' && !message.revokedAt
  const whole = useMarkup(
    isText ? html`${above}<span class="bubble-text">${linkedHtml(message.text)}</span>${below}` : noMarkup,
  )
  const side = message.direction === 'in' ? 'in' : 'out'
  const shell = { className: `bubble bubble-${side}`, 'aria-label': t(`bubble.${side}`) }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  if (isText) return <article {...shell} dangerouslySetInnerHTML={whole} />
  return (
    <article {...shell}>
      <Markup of={above} />
      <BubbleBody message={message} t={t} onRetryMedia={onRetryMedia} />
      <Markup of={below} />
    </article>
  )
}

/** One message; plain elements with static styles. */
export const Bubble = memo((props: BubbleProps) => {
  const { message, joined, t, onReply, onReact, onRetry, onDiscard, onCancel } = props
  if (message.type === 'system' || message.type === 'welcome') return <SystemLine {...props} />
  return (
    <div
      className={`said said-${message.direction === 'in' ? 'in' : 'out'}${joined ? ' said-joined' : ''}`}
      data-message={message.id}
    >
      <Said {...props} />
      {onReply && message.wamid && !message.revokedAt ? (
        <button
          type="button"
          className="icon-button bubble-reply"
          aria-label={t('action.reply')}
          title={t('action.reply')}
          onClick={() => onReply(message)}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
          dangerouslySetInnerHTML={replyIcon}
        />
      ) : null}
      {onReact && message.wamid && !message.revokedAt ? (
        <button
          type="button"
          className="icon-button bubble-reply"
          aria-label={t('action.react')}
          title={t('action.react')}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => onReact({ message, anchor: currentTarget })}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
          dangerouslySetInnerHTML={reactIcon}
        />
      ) : null}
      {hasDeliveryNote(message) ? (
        <DeliveryNote message={message} t={t} onRetry={onRetry} onDiscard={onDiscard} onCancel={onCancel} />
      ) : null}
    </div>
  )
})
