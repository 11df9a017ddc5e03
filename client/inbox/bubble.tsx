import { memo } from 'react'
import { Icon } from '#client/ui/icon.tsx'
import type { Message } from '#shared/inbox.ts'
import { clockTime } from '#shared/time.ts'
import { BubbleBody } from './bubble-body.tsx'
import { DeliveryNote } from './delivery-note.tsx'
import { Ticks } from './ticks.tsx'
import { type InboxT, previewOf } from './words.ts'

export interface BubbleProps {
  message: Message
  /** The one before came from the same hand just now: drawn closer, without a corner. */
  joined: boolean
  timeZone: string
  t: InboxT
  onReply?: ((message: Message) => void) | undefined
  onRetry?: ((message: Message) => void) | undefined
  /** Given up before the server had it: only for what still lies in this browser. */
  onDiscard?: ((message: Message) => void) | undefined
  /** Taken back while it waits on the server. */
  onCancel?: ((message: Message) => void) | undefined
  onRetryMedia?: ((message: Message) => void) | undefined
}

const Quote = ({ message, t }: { message: Message; t: InboxT }) => {
  const quoted = message.replyTo
  if (!quoted) return null
  return (
    <span className="quote">
      <b>
        {quoted.direction === 'out' ? t('quote.us') : quoted.direction === 'in' ? t('quote.them') : t('quote.unknown')}
      </b>
      <span className="quote-text">{quoted.text || (quoted.id ? t('quote.noText') : t('quote.notHere'))}</span>
    </span>
  )
}

const Reactions = ({ message, t }: { message: Message; t: InboxT }) => {
  if (!message.reactions?.length) return null
  return (
    <span className="reactions">
      {message.reactions.map(reaction => (
        <span
          key={reaction.by}
          role="img"
          aria-label={t(reaction.by === 'us' ? 'reaction.us' : 'reaction.contact', { emoji: reaction.emoji })}
        >
          {reaction.emoji}
        </span>
      ))}
    </span>
  )
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

/** One message; plain elements with static styles. */
export const Bubble = memo((props: BubbleProps) => {
  const { message, joined, timeZone, t, onReply, onRetry, onDiscard, onCancel, onRetryMedia } = props
  if (message.type === 'system' || message.type === 'welcome') return <SystemLine {...props} />
  const side = message.direction === 'in' ? 'in' : 'out'
  // Who goes on writing is named once.
  const author = joined
    ? null
    : side === 'out' && message.author && message.author.kind !== 'person'
      ? t(`author.${message.author.kind}`)
      : message.author?.name
  return (
    <div className={`said said-${side}${joined ? ' said-joined' : ''}`} data-message={message.id}>
      <article className={`bubble bubble-${side}`} aria-label={side === 'in' ? t('bubble.in') : t('bubble.out')}>
        {message.forwarded ? <span className="forwarded">{t('bubble.forwarded')}</span> : null}
        {message.referral ? (
          <span className="quote">
            <b>{t('bubble.fromAd')}</b>
            <span className="quote-text">
              {message.referral.headline ?? message.referral.body ?? message.referral.sourceId}
            </span>
          </span>
        ) : null}
        <Quote message={message} t={t} />
        <BubbleBody message={message} t={t} onRetryMedia={onRetryMedia} />
        <span className="bubble-meta">
          {message.editedAt ? <span>{t('bubble.edited')}</span> : null}
          {author ? <span className="cut">{author}</span> : null}
          <time dateTime={message.at}>{clockTime(message.at, timeZone)}</time>
          <Ticks t={t} direction={message.direction} status={message.status} />
        </span>
        <Reactions message={message} t={t} />
      </article>
      {onReply && message.wamid && !message.revokedAt ? (
        <button
          type="button"
          className="icon-button bubble-reply"
          aria-label={t('action.reply')}
          title={t('action.reply')}
          onClick={() => onReply(message)}
        >
          <Icon name="reply" />
        </button>
      ) : null}
      <DeliveryNote message={message} t={t} onRetry={onRetry} onDiscard={onDiscard} onCancel={onCancel} />
    </div>
  )
})
