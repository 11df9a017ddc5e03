import { Fragment, type MouseEvent, useRef, useState } from 'react'
import { Icon } from '#client/ui/icon.tsx'
import { isPlainPress } from '#client/ui/link-presses.ts'
import type { Message } from '#shared/inbox.ts'
import type { Language } from '#shared/language.ts'
import { dayNumber, dayTitle, dayWordOf } from '#shared/time.ts'
import { Bubble, type BubbleProps } from './bubble.tsx'
import { messageKey, useReadingPlace } from './reading-place.ts'
import { useSwipeReply } from './swipe-reply.ts'
import type { InboxT } from './words.ts'

const joinedWithinMs = 3 * 60 * 1000

export interface MessagesProps {
  /** Oldest first. */
  messages: readonly Message[]
  name: string
  hasOlder: boolean
  loadingOlder: boolean
  olderFailed: boolean
  /** Id of the message to be shown first; absent: the newest. */
  target?: string | undefined
  /** False: the last one here is not the newest, and those between are not loaded yet. */
  isWhole: boolean
  hasNewer: boolean
  loadingNewer: boolean
  newerFailed: boolean
  now: number
  timeZone: string
  language: Language
  t: InboxT
  onOlder: () => void
  onNewer: () => void
  /** To where the newest messages are loaded; absent: they are here. */
  onNewest?: (() => void) | undefined
  onReply?: ((message: Message) => void) | undefined
  onReact?: BubbleProps['onReact']
  onForward?: BubbleProps['onForward']
  onWhy: BubbleProps['onWhy']
  onInfo: (message: Message) => void
  /** What a message answers is wanted. */
  onQuoted: (id: string) => void
  /** How many of the customer's were unread when the chat was opened. */
  unread: number
  /** Another day is wanted; `at`: the one that was pressed. */
  onDate: (at: string) => void
  onRetry?: ((message: Message) => void) | undefined
  onDiscard?: ((message: Message) => void) | undefined
  onCancel?: ((message: Message) => void) | undefined
  onRetryMedia?: ((message: Message) => void) | undefined
  onView?: ((message: Message) => void) | undefined
  onNote?: BubbleProps['onNote']
}

const isJoined = (message: Message, before: Message | undefined) =>
  before !== undefined &&
  before.direction === message.direction &&
  before.type !== 'system' &&
  before.author?.kind === message.author?.kind &&
  before.author?.name === message.author?.name &&
  Date.parse(message.at) - Date.parse(before.at) < joinedWithinMs

interface DayProps extends Pick<MessagesProps, 'now' | 'language' | 'timeZone' | 't' | 'onDate'> {
  at: string
  /** How many days ago. */
  ago: number
}

/** Where a day begins; pressed, it leads to another. */
const Day = ({ at, ago, now, language, timeZone, t, onDate }: DayProps) => {
  const word = dayWordOf(ago)
  const title = dayTitle(at, now, language, timeZone)
  return (
    <button type="button" className="day" title={t('jump.label')} aria-haspopup="dialog" onClick={() => onDate(at)}>
      {word ? `${t(`thread.${word}`)}, ${title}` : title}
    </button>
  )
}

/** The first of so many unread ones; undefined where there are none, or it is not loaded. */
const firstUnread = (messages: readonly Message[], unread: number): string | undefined => {
  let left = unread
  for (let i = messages.length - 1; i >= 0 && left > 0; i -= 1) {
    const message = messages[i] as Message
    if (message.direction !== 'in') continue
    left -= 1
    if (left === 0) return message.id
  }
  return undefined
}

/** The messages of a chat, newest at the bottom. Mounted anew for each chat. */
export const Messages = (props: MessagesProps) => {
  const { messages, name, hasOlder, loadingOlder, olderFailed, now, timeZone, language, t, onOlder } = props
  const box = useRef<HTMLDivElement>(null)
  const { target, isWhole, hasNewer, loadingNewer, newerFailed, onNewer, onNewest } = props
  const { isAway, newBelow, watch, toEnd } = useReadingPlace(box, messages, { target, isWhole })
  const askedFor = useRef<string | undefined>(undefined)
  // Found once: what comes while it is open is read as it comes.
  const [unreadFrom] = useState(() => (isWhole ? firstUnread(messages, props.unread) : undefined))
  const swipe = useSwipeReply()
  const pressQuote = (event: MouseEvent) => {
    const quote = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-quoted]') : null
    if (!quote?.dataset.quoted || !isPlainPress(event)) return
    event.preventDefault()
    props.onQuoted(quote.dataset.quoted)
  }

  const days = messages.map(({ at }) => dayNumber(at, timeZone))
  const today = dayNumber(new Date(now).toISOString(), timeZone)
  const older = () => {
    const first = messages[0]?.id
    if (!hasOlder || loadingOlder || askedFor.current === first) return
    askedFor.current = first
    onOlder()
  }
  return (
    <>
      <div
        ref={box}
        className="messages"
        role="log"
        aria-label={t('thread.label', { name })}
        aria-live="polite"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        onScroll={event => {
          const wanted = watch(event.currentTarget)
          if (wanted.older) older()
          if (wanted.newer && hasNewer && !loadingNewer && !newerFailed) onNewer()
        }}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it are pressed */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link's key is a click */}
        <div className="messages-column" onClick={pressQuote} {...swipe}>
          <div className="older">
            {hasOlder ? (
              <button
                type="button"
                className="link"
                disabled={loadingOlder}
                onClick={() => {
                  askedFor.current = undefined
                  older()
                }}
              >
                {loadingOlder ? t('thread.loadingOlder') : olderFailed ? t('thread.failed') : t('thread.older')}
              </button>
            ) : (
              <span>{t('thread.start')}</span>
            )}
          </div>
          {messages.map((message, i) => {
            const before = messages[i - 1]
            const day = days[i] as number
            const newDay = day !== days[i - 1]
            return (
              <Fragment key={messageKey(message)}>
                {newDay ? (
                  <Day
                    at={message.at}
                    ago={today - day}
                    now={now}
                    language={language}
                    timeZone={timeZone}
                    t={t}
                    onDate={props.onDate}
                  />
                ) : null}
                {message.id === unreadFrom ? <p className="unread-line">{t('thread.unreadFrom')}</p> : null}
                <Bubble
                  message={message}
                  name={name}
                  joined={!newDay && isJoined(message, before)}
                  timeZone={timeZone}
                  t={t}
                  onReply={props.onReply}
                  onReact={props.onReact}
                  onForward={props.onForward}
                  onWhy={props.onWhy}
                  onInfo={props.onInfo}
                  onRetry={props.onRetry}
                  onDiscard={props.onDiscard}
                  onCancel={props.onCancel}
                  onRetryMedia={props.onRetryMedia}
                  onView={props.onView}
                  onNote={props.onNote}
                />
              </Fragment>
            )
          })}
          {hasNewer ? (
            <div className="older">
              <button type="button" className="link" disabled={loadingNewer} onClick={onNewer}>
                {loadingNewer ? t('thread.loadingNewer') : newerFailed ? t('thread.failed') : t('thread.newer')}
              </button>
            </div>
          ) : null}
        </div>
      </div>
      {isAway || newBelow > 0 || !isWhole ? (
        <div className="thread-foot">
          <button
            type="button"
            className="to-newest"
            aria-label={newBelow > 0 ? undefined : t('thread.toNewest')}
            title={newBelow > 0 ? undefined : t('thread.toNewest')}
            onClick={onNewest ?? toEnd}
          >
            <Icon name="down" />
            {newBelow > 0 ? t('thread.newBelow', { count: newBelow }) : null}
          </button>
        </div>
      ) : null}
    </>
  )
}
