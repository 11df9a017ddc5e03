import { Fragment, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '#client/ui/icon.tsx'
import type { Message } from '#shared/inbox.ts'
import type { Language } from '#shared/language.ts'
import { dayNumber, dayTitle, dayWord } from '#shared/time.ts'
import { Bubble } from './bubble.tsx'
import type { InboxT } from './words.ts'

const joinedWithinMs = 3 * 60 * 1000
const nearEndPx = 120
const olderAtPx = 400

export interface MessagesProps {
  /** Oldest first. */
  messages: readonly Message[]
  name: string
  hasOlder: boolean
  loadingOlder: boolean
  olderFailed: boolean
  now: number
  timeZone: string
  language: Language
  t: InboxT
  onOlder: () => void
  onReply?: ((message: Message) => void) | undefined
  onRetry?: ((message: Message) => void) | undefined
  onDiscard?: ((message: Message) => void) | undefined
  onRetryMedia?: ((message: Message) => void) | undefined
}

const useIsomorphicLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

const isJoined = (message: Message, before: Message | undefined) =>
  before !== undefined &&
  before.direction === message.direction &&
  before.type !== 'system' &&
  before.author?.kind === message.author?.kind &&
  before.author?.name === message.author?.name &&
  Date.parse(message.at) - Date.parse(before.at) < joinedWithinMs

const Day = ({
  at,
  now,
  language,
  timeZone,
  t,
}: { at: string } & Pick<MessagesProps, 'now' | 'language' | 'timeZone' | 't'>) => {
  const word = dayWord(at, now, timeZone)
  const title = dayTitle(at, now, language, timeZone)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule holds no words
    <div className="day" role="separator">
      {word ? `${t(`thread.${word}`)}, ${title}` : title}
    </div>
  )
}

/**
 * Keeps what is being read where it is: older messages grow upwards without a jump, new ones are followed only by
 * those who are at the end; the others are told how many wait below.
 */
const useReadingPlace = (box: RefObject<HTMLDivElement | null>, messages: readonly Message[]) => {
  const atEnd = useRef(true)
  const seen = useRef<{ first: string | undefined; last: string | undefined; height: number; count: number }>({
    first: undefined,
    last: undefined,
    height: 0,
    count: 0,
  })
  const [below, setBelow] = useState(0)
  const first = messages[0]?.id
  const last = messages[messages.length - 1]?.id

  useIsomorphicLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const before = seen.current
    if (before.last === undefined || (last !== before.last && atEnd.current)) element.scrollTop = element.scrollHeight
    else if (first !== before.first) element.scrollTop += element.scrollHeight - before.height
    if (last !== before.last && before.last !== undefined) {
      const own = messages[messages.length - 1]?.direction === 'out'
      if (own) element.scrollTop = element.scrollHeight
      else if (!atEnd.current) {
        const from = messages.findIndex(message => message.id === before.last)
        setBelow(count => count + (from < 0 ? 1 : messages.length - 1 - from))
      }
    }
    seen.current = { first, last, height: element.scrollHeight, count: messages.length }
  }, [first, last, messages])

  // Pictures and fonts that arrive late push the end down: who reads there stays there.
  useEffect(() => {
    const element = box.current
    const column = element?.firstElementChild
    if (!element || !column || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight
      seen.current.height = element.scrollHeight
    })
    observer.observe(column)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])

  const watch = (element: HTMLDivElement) => {
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx
    if (atEnd.current) setBelow(0)
  }
  const toEnd = () => {
    atEnd.current = true
    setBelow(0)
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }
  return { below, watch, toEnd }
}

/** The messages of a chat, newest at the bottom. Mounted anew for each chat. */
export const Messages = (props: MessagesProps) => {
  const { messages, name, hasOlder, loadingOlder, olderFailed, now, timeZone, language, t, onOlder } = props
  const box = useRef<HTMLDivElement>(null)
  const { below, watch, toEnd } = useReadingPlace(box, messages)
  const askedFor = useRef<string | undefined>(undefined)

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
          watch(event.currentTarget)
          if (event.currentTarget.scrollTop < olderAtPx) older()
        }}
      >
        <div className="messages-column">
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
            const newDay = !before || dayNumber(before.at, timeZone) !== dayNumber(message.at, timeZone)
            return (
              <Fragment key={message.clientKey ?? message.id}>
                {newDay ? <Day at={message.at} now={now} language={language} timeZone={timeZone} t={t} /> : null}
                <Bubble
                  message={message}
                  joined={!newDay && isJoined(message, before)}
                  timeZone={timeZone}
                  t={t}
                  onReply={props.onReply}
                  onRetry={props.onRetry}
                  onDiscard={props.onDiscard}
                  onRetryMedia={props.onRetryMedia}
                />
              </Fragment>
            )
          })}
        </div>
      </div>
      {below > 0 ? (
        <div className="thread-foot">
          <button type="button" className="to-bottom" onClick={toEnd}>
            <Icon name="down" />
            {t('thread.newBelow', { count: below })}
          </button>
        </div>
      ) : null}
    </>
  )
}
