import { memo, use } from 'react'
import { type Html, html } from '#client/ui/text/html.ts'
import { createKeptHtml } from '#client/ui/text/kept-html.ts'
import { Markup, useMarkup } from '#client/ui/text/markup.tsx'
import { directionOf } from '#client/ui/text/text-direction.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { Beside } from '../../beside.ts'
import { BubbleBody, kindView } from '../../kinds/registry.tsx'
import type { InboxT } from '../../words.ts'
import { aboveHtml, belowHtml, formattedHtml, isLoneEmoji } from './bubble-html.ts'
import { DeliveryNote, hasDeliveryNote } from './delivery-note.tsx'
import type { MessageActs } from './message-acts.ts'
import { MessageTools, toolsOf } from './message-tools.tsx'

interface BubbleProps {
  message: Message
  /** The previous message is by the same author and recent: drawn closer, without a corner. */
  joined: boolean
  /** The customer's name. */
  name: string
  timeZone: string
  t: InboxT
  acts: MessageActs
  /** Hovered or focused: its tools are rendered. */
  isReached: boolean
  /** The pointer was moved to it: its tools stay even if new messages move it. */
  isSought: boolean
}

const noMarkup = html``
const keepText = createKeptHtml<Message>()

/** The whole bubble of a plain text message. */
const textHtml = ({ message, joined, name, timeZone, t }: BubbleProps, beside: string): Html =>
  keepText(
    message,
    [joined, name, timeZone, t, beside],
    () =>
      html`${aboveHtml(message, t, name)}<span class="${isLoneEmoji(message.text) ? 'bubble-text bubble-emoji' : 'bubble-text'}" dir="${directionOf(message.text)}">${formattedHtml(message.text, beside)}</span>${belowHtml(message, joined, timeZone, t)}`,
  )

/** An image without text: the time is drawn on it. */
const isBarePicture = ({ type, text, media, revokedAt }: BubbleProps['message']): boolean =>
  type === 'image' && !text && !revokedAt && media !== undefined && media.state !== 'failed'

/** Static parts are one HTML text; files and folded lists are elements between them. */
const Said = (props: BubbleProps) => {
  const { message, joined, name, timeZone, t, acts } = props
  const isText = message.type === 'text' && !message.revokedAt
  const whole = useMarkup(isText ? textHtml(props, use(Beside)) : noMarkup)
  const side = message.direction === 'in' ? 'in' : 'out'
  const bare = isBarePicture(message) ? ' bubble-bare' : ''
  // Focusable, and from here its tools.
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

/** One message, as plain elements with static styles. */
export const Bubble = memo((props: BubbleProps) => {
  const { message, joined, timeZone, t, acts, isReached, isSought } = props
  const { Line } = kindView(message.type)
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
          onStep={acts.onStep}
        />
      ) : null}
    </div>
  )
})
