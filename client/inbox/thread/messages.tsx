import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type SyntheticEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isPlainPress } from '#client/ui/page/link-presses.ts'
import { useIsomorphicLayoutEffect, useSteady } from '#client/ui/page/steady.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Message } from '#shared/inbox/messages.ts'
import type { Language } from '#shared/kernel/language.ts'
import { dayNumber } from '#shared/kernel/time.ts'
import type { InboxT } from '../words.ts'
import type { MessageActs } from './bubble/message-acts.ts'
import { useReadingPlace } from './reading-place.ts'
import { useSwipeReply } from './swipe-reply.ts'
import { ThreadBlock, type ThreadReader } from './thread-block.tsx'
import { type Block, partIntoBlocks } from './thread-blocks.ts'
import { windowSegments } from './thread-window.ts'

/** A thread's blocks. A change replaces only the blocks that contain it. */
function useBlocks(messages: readonly Message[]): readonly Block[] {
  const known = useRef<readonly Block[]>([])
  const blocks = useMemo(() => partIntoBlocks(messages, known.current), [messages])
  useIsomorphicLayoutEffect(() => {
    known.current = blocks
  }, [blocks])
  return blocks
}

interface MessagesProps {
  /** Oldest first. */
  messages: readonly Message[]
  name: string
  hasOlder: boolean
  loadingOlder: boolean
  olderFailed: boolean
  /** Id of the message to show first. Absent: the newest. */
  target?: string | undefined
  /** False: the last loaded message is not the newest. */
  isWhole: boolean
  hasNewer: boolean
  loadingNewer: boolean
  newerFailed: boolean
  now: number
  timeZone: string
  language: Language
  t: InboxT
  /** A stable object until actions change. */
  acts: MessageActs
  onOlder: () => void
  onNewer: () => void
  /** Jumps to the newest messages. Absent: they are loaded. */
  onNewest?: (() => void) | undefined
  /** Jumps to a quoted message. */
  onQuoted: (id: string) => void
  /** Opens the chat with a phone number in a message, in dialable form. */
  onPhone: (dialled: string) => void
  /** Unread messages of the customer when the chat was opened. */
  unread: number
  /** Opens the choice of a day. `at`: the clicked day. */
  onDate: (at: string) => void
}

/** The first of the unread messages. Undefined: none, or it is not loaded. */
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
  /** Under the pointer, possibly because messages moved. */
  readonly pointed?: string | undefined
  /**
   * The pointer was last moved over this one: its tools stay when new messages move it, until the pointer moves again.
   */
  readonly sought?: string | undefined
  /** Focused or pressed last. */
  readonly entered?: string | undefined
}

/** The messages whose tools are rendered. */
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
      // Some browsers do not focus on a press; what opens beside a tool would lose it.
      onPointerDown: (event: SyntheticEvent) => reach({ entered: messageOf(event) }),
    },
  }
}

/** Arrow keys move from message to message when one has the focus. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof Element) || !event.target.matches('article')) return
  const articles = [...event.currentTarget.querySelectorAll<HTMLElement>('.said > article')]
  const next = articles[articles.indexOf(event.target as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** The messages of a chat, newest at the bottom. Remounted for each chat. */
export const Messages = (props: MessagesProps) => {
  const { messages, name, hasOlder, loadingOlder, olderFailed, timeZone, language, t, acts, onOlder } = props
  const { target, isWhole, hasNewer, loadingNewer, newerFailed, onNewer, onNewest } = props
  const box = useRef<HTMLDivElement>(null)
  const blocks = useBlocks(messages)
  const place = useReadingPlace(box, messages, blocks, { target, isWhole })
  const { isAway, newBelow, watch, toEnd } = place
  const askedFor = useRef<string | undefined>(undefined)
  // Determined once: messages that arrive while it is open count as read.
  const [unreadFrom] = useState(() => (isWhole ? firstUnread(messages, props.unread) : undefined))
  const { reached, handlers } = useReached()
  const { onDate } = useSteady({ onDate: props.onDate })
  const today = dayNumber(new Date(props.now).toISOString(), timeZone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the day of the time is shown here
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
  // Rendered often while scrolling.
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
        // Messages rendered by scrolling must not be announced.
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
          {windowSegments(blocks, place.heights, place.drawn).map(segment =>
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
