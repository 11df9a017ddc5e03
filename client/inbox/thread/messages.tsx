import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type SyntheticEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { InboxT } from '#client/inbox/words.ts'
import { isPlainPress } from '#client/ui/page/link-presses.ts'
import { useSteady } from '#client/ui/page/steady.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Message } from '#shared/inbox/messages.ts'
import type { Language } from '#shared/kernel/language.ts'
import { dayNumber } from '#shared/kernel/time.ts'
import type { MessageActs } from './message-acts.ts'
import { useReadingPlace } from './reading-place.ts'
import { useSwipeReply } from './swipe-reply.ts'
import { ThreadBlock, type ThreadReader } from './thread-block.tsx'
import { segmentsOf } from './thread-window.ts'
import { useBlocks } from './use-blocks.ts'

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
  /** The same object until what can be done changes. */
  acts: MessageActs
  onOlder: () => void
  onNewer: () => void
  /** To where the newest messages are loaded; absent: they are here. */
  onNewest?: (() => void) | undefined
  /** What a message answers is wanted. */
  onQuoted: (id: string) => void
  /** The chat with a number that somebody wrote is wanted; as it may be dialled. */
  onPhone: (dialled: string) => void
  /** How many of the customer's were unread when the chat was opened. */
  unread: number
  /** Another day is wanted; `at`: the one that was pressed. */
  onDate: (at: string) => void
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

const messageOf = ({ target }: SyntheticEvent): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('.said')?.dataset.message : undefined

interface Reached {
  /** Beneath the pointer, which something may have pushed there. */
  readonly pointed?: string | undefined
  /** Where the pointer itself was moved last: what comes in moves messages on, and their tools stay until it moves again. */
  readonly sought?: string | undefined
  /** Last entered or pressed. */
  readonly entered?: string | undefined
}

/** Of whose messages the tools are drawn. */
const useReached = () => {
  const [reached, setReached] = useState<Reached>({})
  const at = useRef('')
  const reach = (more: Reached) => {
    const names = Object.keys(more) as (keyof Reached)[]
    if (names.some(name => more[name] !== reached[name])) setReached(known => ({ ...known, ...more }))
  }
  return {
    reached,
    handlers: {
      onPointerOver: (event: PointerEvent) => {
        const place = `${event.clientX} ${event.clientY}`
        const hasMoved = place !== at.current
        at.current = place
        const pointed = messageOf(event)
        reach(hasMoved ? { pointed, sought: pointed } : { pointed })
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        at.current = `${clientX} ${clientY}`
      },
      onPointerLeave: ({ clientX, clientY }: PointerEvent) => {
        const hasMoved = `${clientX} ${clientY}` !== at.current
        reach(hasMoved ? { pointed: undefined, sought: undefined } : { pointed: undefined })
      },
      onFocus: (event: SyntheticEvent) => reach({ entered: messageOf(event) }),
      // Where a press gives no focus, what opens beside a tool would lose it.
      onPointerDown: (event: SyntheticEvent) => reach({ entered: messageOf(event) }),
    },
  }
}

/** Arrow keys walk from message to message, once one of them has the focus. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof Element) || !event.target.matches('article')) return
  const articles = [...event.currentTarget.querySelectorAll<HTMLElement>('.said > article')]
  const next = articles[articles.indexOf(event.target as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** The messages of a chat, newest at the bottom. Mounted anew for each chat. */
export const Messages = (props: MessagesProps) => {
  const { messages, name, hasOlder, loadingOlder, olderFailed, timeZone, language, t, acts, onOlder } = props
  const { target, isWhole, hasNewer, loadingNewer, newerFailed, onNewer, onNewest } = props
  const box = useRef<HTMLDivElement>(null)
  const blocks = useBlocks(messages)
  const place = useReadingPlace(box, messages, blocks, { target, isWhole })
  const { isAway, newBelow, watch, toEnd } = place
  const askedFor = useRef<string | undefined>(undefined)
  // Found once: what comes while it is open is read as it comes.
  const [unreadFrom] = useState(() => (isWhole ? firstUnread(messages, props.unread) : undefined))
  const { reached, handlers } = useReached()
  const { onDate } = useSteady({ onDate: props.onDate })
  const today = dayNumber(new Date(props.now).toISOString(), timeZone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the time only the day is told here
  const reader = useMemo<ThreadReader>(
    () => ({ name, now: props.now, timeZone, language, t, acts, onDate }),
    [name, today, timeZone, language, t, acts, onDate],
  )
  const { older, answer, press } = useSteady({
    older() {
      const first = messages[0]?.id
      if (!hasOlder || loadingOlder || askedFor.current === first) return
      askedFor.current = first
      onOlder()
    },
    answer(id: string) {
      const message = messages.find(one => one.id === id)
      if (message) acts.onReply?.(message)
    },
    press(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a') : null
      const { quoted, phone } = link?.dataset ?? {}
      if (!(quoted || phone) || !isPlainPress(event)) return
      event.preventDefault()
      if (quoted) props.onQuoted(quoted)
      else if (phone) props.onPhone(phone)
    },
  })
  const swipe = useSwipeReply(answer)
  // While somebody scrolls this is drawn again and again.
  const label = useMemo(() => t('thread.label', { name }), [t, name])
  const idIn = (id: string | undefined, among: readonly Message[]) =>
    id !== undefined && among.some(message => message.id === id) ? id : undefined
  return (
    <>
      <div
        ref={box}
        className="messages"
        role="log"
        aria-label={label}
        // What comes back into the page while somebody scrolls is no news.
        aria-live={isAway ? 'off' : 'polite'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        onKeyDown={walk}
        onScroll={event => {
          const wanted = watch(event.currentTarget)
          if (wanted.older) older()
          if (wanted.newer && hasNewer && !loadingNewer && !newerFailed) onNewer()
        }}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it are pressed */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link's key is a click */}
        <div className="messages-column" onClick={press} {...handlers} {...swipe}>
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
          {segmentsOf(blocks, place.heights, place.drawn).map(segment =>
            'block' in segment ? (
              <ThreadBlock
                key={segment.block.key}
                block={segment.block}
                reader={reader}
                measure={place.measure}
                unreadFrom={idIn(unreadFrom, segment.block.messages)}
                pointed={idIn(reached.pointed, segment.block.messages)}
                sought={idIn(reached.sought, segment.block.messages)}
                entered={idIn(reached.entered, segment.block.messages)}
              />
            ) : (
              <div key={segment.key} style={{ height: segment.spacePx }} />
            ),
          )}
          {hasNewer ? (
            <div className="older">
              <button type="button" className="link" disabled={loadingNewer} onClick={onNewer}>
                {loadingNewer ? t('thread.loadingNewer') : newerFailed ? t('thread.failed') : t('thread.newer')}
              </button>
            </div>
          ) : null}
        </div>
      </div>
      <div className="thread-foot" aria-live="polite">
        {isAway || newBelow > 0 || !isWhole ? (
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
        ) : null}
      </div>
    </>
  )
}
