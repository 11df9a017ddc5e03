import { type MouseEvent, memo } from 'react'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { type Html, html } from '#client/ui/html.ts'
import { Icon } from '#client/ui/icon.tsx'
import { iconHtml } from '#client/ui/icon-html.ts'
import { createKeptHtml } from '#client/ui/kept-html.ts'
import { Markup, useMarkup } from '#client/ui/markup.tsx'
import type { Activity, Message } from '#shared/inbox.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { clockTime } from '#shared/time.ts'
import { activityText } from './activity-words.ts'
import { BubbleBody } from './bubble-body.tsx'
import { aboveHtml, belowHtml, formattedHtml, isLoneEmoji, noteHtml } from './bubble-html.ts'
import { DeliveryNote, hasDeliveryNote } from './delivery-note.tsx'
import { canForward } from './forward-body.ts'
import { type InboxT, newsText, previewOf } from './words.ts'

/** A message somebody is about to react to, and where that was asked for. */
export interface Reacting {
  message: Message
  anchor: HTMLElement
}

export interface BubbleProps {
  message: Message
  /** The one before came from the same hand just now: drawn closer, without a corner. */
  joined: boolean
  /** What the customer is called. */
  name: string
  timeZone: string
  t: InboxT
  onReply?: ((message: Message) => void) | undefined
  /** Opens the emojis beside the button that was pressed. */
  onReact?: ((reacting: Reacting) => void) | undefined
  /** Sends it to other chats. */
  onForward?: ((message: Message) => void) | undefined
  /** Where a message of a flow came from. */
  onWhy: (message: Message) => void
  /** When it was sent, delivered, read, and how often it was tried. */
  onInfo: (message: Message) => void
  onRetry?: ((message: Message) => void) | undefined
  /** Given up before the server had it: only for what still lies in this browser. */
  onDiscard?: ((message: Message) => void) | undefined
  /** Taken back while it waits on the server. */
  onCancel?: ((message: Message) => void) | undefined
  onRetryMedia?: ((message: Message) => void) | undefined
  onView?: ((message: Message) => void) | undefined
  /** Changes or deletes a note; absent: this person writes none. */
  onNote?: ((note: Message) => void) | undefined
}

/** A line in the middle: what happened, not what was said. */
const SystemLine = ({ message, timeZone, t }: BubbleProps) => (
  <div className="happened" data-message={message.id}>
    <Icon name="info" />
    <span>
      {message.type === 'system' ? newsText(t, message) : previewOf(t, message)} ·{' '}
      <time dateTime={message.at}>{clockTime(message.at, timeZone)}</time>
    </span>
  </div>
)

/** What the team did, in the middle and without a drawing: it reads beside what was said. */
const ActivityLine = ({ message, activity, timeZone, t }: BubbleProps & { activity: Activity }) => {
  const { user } = useViewer()
  return (
    <div className="happened" data-message={message.id}>
      <span>
        {activityText(activity, user.id, t)} · <time dateTime={message.at}>{clockTime(message.at, timeZone)}</time>
      </span>
    </div>
  )
}

const noMarkup = html``
const keepText = createKeptHtml<Message>()

/** The whole bubble of a message that is nothing but text. */
const textHtml = ({ message, joined, name, timeZone, t }: BubbleProps): Html =>
  keepText(
    message,
    [joined, name, timeZone, t],
    () =>
      html`${aboveHtml(message, t, name)}<span class="${isLoneEmoji(message.text) ? 'bubble-text bubble-emoji' : 'bubble-text'}">${formattedHtml(message.text)}</span>${belowHtml(message, joined, timeZone, t)}`,
  )

const toolIcons = { reply: 'reply', react: 'smile', forward: 'forward', why: 'flow', info: 'info' } as const
const keepTools = createKeptHtml<InboxT>()

const toolHtml = (act: keyof typeof toolIcons, label: string, more: Html | null) =>
  html`<button type="button" class="icon-button bubble-reply" data-act="${act}" aria-label="${label}" title="${label}"${more}>${iconHtml(toolIcons[act])}</button>`

/** What one can do to a message: the same for all messages of a chat, so it is never drawn anew beneath a pointer. */
const toolsHtml = (t: InboxT, can: Readonly<Record<keyof typeof toolIcons, boolean>>): Html =>
  keepTools(t, [can.reply, can.react, can.forward, can.why, can.info], () => {
    const opens = html` aria-haspopup="dialog"`
    return html`${can.reply && toolHtml('reply', t('action.reply'), null)}${can.react && toolHtml('react', t('action.react'), opens)}${can.forward && toolHtml('forward', t('action.forward'), opens)}${can.why && toolHtml('why', t('action.why'), null)}${can.info && toolHtml('info', t('action.info'), opens)}`
  })

/** What reacts to nothing by itself is one text; files and folded parts stand as elements between two. */
const Said = (props: BubbleProps) => {
  const { message, joined, name, timeZone, t, onRetryMedia, onView } = props
  const isText = message.type === 'text' && !message.revokedAt
  const whole = useMarkup(isText ? textHtml(props) : noMarkup)
  const side = message.direction === 'in' ? 'in' : 'out'
  const shell = { className: `bubble bubble-${side}`, 'aria-label': t(`bubble.${side}`) }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  if (isText) return <article {...shell} dangerouslySetInnerHTML={whole} />
  return (
    <article {...shell}>
      <Markup of={aboveHtml(message, t, name)} />
      <BubbleBody message={message} t={t} onRetryMedia={onRetryMedia} onView={onView} />
      <Markup of={belowHtml(message, joined, timeZone, t)} />
    </article>
  )
}

/** What the team wrote to itself. Deleted, only the fact remains. */
const Note = (props: BubbleProps) => {
  const { message, timeZone, t, onNote } = props
  const { user } = useViewer()
  const role = effectiveRole(useOrg().role)
  const markup = useMarkup(noteHtml(message, timeZone, t))
  if (message.revokedAt) return <SystemLine {...props} />
  const isOwn = message.note?.authorId === user.id
  return (
    <div className="said said-out" data-message={message.id}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes */}
      <article className="bubble note" aria-label={t('note.label')} dangerouslySetInnerHTML={markup} />
      {onNote && (isOwn || roleCan(role, 'member:manage')) ? (
        <button
          type="button"
          className="icon-button bubble-reply"
          aria-label={t(isOwn ? 'note.editTitle' : 'note.deleteTitle')}
          title={t(isOwn ? 'note.editTitle' : 'note.deleteTitle')}
          aria-haspopup="dialog"
          onClick={() => onNote(message)}
        >
          <Icon name={isOwn ? 'form' : 'trash'} />
        </button>
      ) : null}
    </div>
  )
}

/** One message; plain elements with static styles. */
export const Bubble = memo((props: BubbleProps) => {
  const { message, joined, t, onReply, onReact, onForward, onWhy, onInfo, onRetry, onDiscard, onCancel } = props
  if (message.activity) return <ActivityLine {...props} activity={message.activity} />
  if (message.type === 'note') return <Note {...props} />
  if (message.type === 'system' || message.type === 'welcome') return <SystemLine {...props} />
  // What the product says by itself has no name.
  const isOfFlow = message.author?.kind === 'bot' && message.author.name !== null
  const isThere = message.wamid !== null && !message.revokedAt
  // What still lies in this browser nobody knows anything of.
  const hasInfo = message.direction === 'out' && message.id !== message.clientKey
  const press = ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button') : null
    if (button?.dataset.act === 'reply') onReply?.(message)
    else if (button?.dataset.act === 'forward') onForward?.(message)
    else if (button?.dataset.act === 'why') onWhy(message)
    else if (button?.dataset.act === 'info') onInfo(message)
    else if (button) onReact?.({ message, anchor: button })
  }
  return (
    <div
      className={`said said-${message.direction === 'in' ? 'in' : 'out'}${joined ? ' said-joined' : ''}`}
      data-message={message.id}
    >
      <Said {...props} />
      {hasInfo || ((onReply || onReact || onForward || isOfFlow) && isThere) ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are pressed
        // biome-ignore lint/a11y/useKeyWithClickEvents: a button's key is a click
        <span
          className="markup"
          data-presses=""
          onClick={press}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
          dangerouslySetInnerHTML={toolsHtml(t, {
            reply: isThere && Boolean(onReply),
            react: isThere && Boolean(onReact),
            forward: Boolean(onForward) && canForward(message),
            why: isThere && isOfFlow,
            info: hasInfo,
          })}
        />
      ) : null}
      {hasDeliveryNote(message) ? (
        <DeliveryNote message={message} t={t} onRetry={onRetry} onDiscard={onDiscard} onCancel={onCancel} />
      ) : null}
    </div>
  )
})
