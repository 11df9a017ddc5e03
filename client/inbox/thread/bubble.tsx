import { memo, use } from 'react'
import { Beside } from '#client/inbox/beside.ts'
import { BubbleBody, viewOf } from '#client/inbox/kinds/registry.tsx'
import type { InboxT } from '#client/inbox/words.ts'
import { type Html, html } from '#client/ui/text/html.ts'
import { createKeptHtml } from '#client/ui/text/kept-html.ts'
import { Markup, useMarkup } from '#client/ui/text/markup.tsx'
import { directionOf } from '#client/ui/text/text-direction.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { aboveHtml, belowHtml, formattedHtml, isLoneEmoji } from './bubble-html.ts'
import { DeliveryNote, hasDeliveryNote } from './delivery-note.tsx'
import type { MessageActs } from './message-acts.ts'
import { MessageTools, toolsOf } from './message-tools.tsx'

export interface BubbleProps {
  message: Message
  /** The one before came from the same hand just now: drawn closer, without a corner. */
  joined: boolean
  /** What the customer is called. */
  name: string
  timeZone: string
  t: InboxT
  acts: MessageActs
  /** Somebody points at it, or has the focus in it: what can be done to it is drawn. */
  isReached: boolean
  /** Somebody reaches for what can be done to it: that stays in sight, also when what comes in has moved it on. */
  isSought: boolean
}

const noMarkup = html``
const keepText = createKeptHtml<Message>()

/** The whole bubble of a message that is nothing but text. */
const textHtml = ({ message, joined, name, timeZone, t }: BubbleProps, beside: string): Html =>
  keepText(
    message,
    [joined, name, timeZone, t, beside],
    () =>
      html`${aboveHtml(message, t, name)}<span class="${isLoneEmoji(message.text) ? 'bubble-text bubble-emoji' : 'bubble-text'}" dir="${directionOf(message.text)}">${formattedHtml(message.text, beside)}</span>${belowHtml(message, joined, timeZone, t)}`,
  )

/** A picture without words is all there is of its message: the time lies on it. */
const isBarePicture = ({ type, text, media, revokedAt }: BubbleProps['message']): boolean =>
  type === 'image' && !text && !revokedAt && media !== undefined && media.state !== 'failed'

/** What reacts to nothing by itself is one text; files and folded parts stand as elements between two. */
const Said = (props: BubbleProps) => {
  const { message, joined, name, timeZone, t, acts } = props
  const isText = message.type === 'text' && !message.revokedAt
  const whole = useMarkup(isText ? textHtml(props, use(Beside)) : noMarkup)
  const side = message.direction === 'in' ? 'in' : 'out'
  const bare = isBarePicture(message) ? ' bubble-bare' : ''
  // Where the keys lead to, and from there to what can be done.
  const shell = { className: `bubble bubble-${side}${bare}`, 'aria-label': t(`bubble.${side}`), tabIndex: 0 }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  if (isText) return <article {...shell} dangerouslySetInnerHTML={whole} />
  return (
    <article {...shell}>
      <Markup of={aboveHtml(message, t, name)} />
      <BubbleBody message={message} t={t} onRetryMedia={acts.onRetryMedia} onView={acts.onView} />
      <Markup of={belowHtml(message, joined, timeZone, t)} />
    </article>
  )
}

/** One message; plain elements with static styles. */
export const Bubble = memo((props: BubbleProps) => {
  const { message, joined, timeZone, t, acts, isReached, isSought } = props
  const { Line } = viewOf(message.type)
  if (Line) return <Line message={message} timeZone={timeZone} t={t} acts={acts} />
  const tools = toolsOf(message, acts)
  return (
    <div
      className={`said said-${message.direction === 'in' ? 'in' : 'out'}${joined ? ' said-joined' : ''}`}
      data-message={message.id}
      data-answers={tools.reply ? '' : undefined}
      data-sought={isSought || undefined}
    >
      <Said {...props} />
      {isReached ? <MessageTools message={message} tools={tools} acts={acts} t={t} /> : null}
      {hasDeliveryNote(message) ? (
        <DeliveryNote
          message={message}
          t={t}
          onRetry={acts.onRetry}
          onDiscard={acts.onDiscard}
          onCancel={acts.onCancel}
          onOtherWay={acts.onOtherWay}
        />
      ) : null}
    </div>
  )
})
