import { Fragment, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { dayNumber, dayTitle, dayWord } from '#shared/kernel/time.ts'
import type { PhoneMessage } from '#shared/simulator/phone.ts'
import { PhoneBubble, type PhoneBubbleProps } from './phone-bubble.tsx'

interface PhoneChatProps extends Omit<PhoneBubbleProps, 'message' | 'timeZone'> {
  readonly name: string
  readonly messages: readonly PhoneMessage[]
  readonly hasOlder: boolean
  readonly isLoadingOlder: boolean
  readonly onOlder: () => void
}

const useIsomorphicLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

/** The messages on the phone. It stays scrolled to the end while new ones arrive. */
export function PhoneChat({ name, messages, hasOlder, isLoadingOlder, onOlder, ...bubble }: PhoneChatProps) {
  const { t } = bubble
  const { i18n } = useTranslation()
  const { now, timeZone } = useMoment()
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const lastHeight = useRef(0)
  const last = messages.at(-1)
  const lastKey = last ? `${last.seq} ${last.reactions?.length ?? 0}` : ''
  useIsomorphicLayoutEffect(() => {
    if (box.current && (isAtEnd.current || last?.mine)) box.current.scrollTop = box.current.scrollHeight
  }, [lastKey])
  // Pictures and players grow when their file is loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other messages are other boxes
  useEffect(() => {
    const chat = box.current
    if (!chat) return
    const sizes = new ResizeObserver(() => {
      if (isAtEnd.current) chat.scrollTop = chat.scrollHeight
    })
    for (const grows of [chat, ...chat.children]) sizes.observe(grows)
    return () => sizes.disconnect()
  }, [messages.length])
  const titleOf = (at: string) => {
    const word = dayWord(at, now, timeZone)
    return word ? t(`phone.${word}`) : dayTitle(at, now, i18n.language as Language, timeZone)
  }
  return (
    <div
      ref={box}
      className="sim-chat column"
      role="log"
      aria-label={t('phone.chat', { name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        // If the content grew meanwhile, nobody scrolled up.
        if (scrollHeight === lastHeight.current) isAtEnd.current = scrollHeight - scrollTop - clientHeight < 80
        lastHeight.current = scrollHeight
      }}
    >
      {hasOlder ? (
        <button type="button" className="sim-older" disabled={isLoadingOlder} onClick={onOlder}>
          {t('phone.older')}
        </button>
      ) : null}
      {messages.length === 0 ? <p className="sim-happened">{t('phone.empty')}</p> : null}
      {messages.map((message, i) => {
        const before = messages[i - 1]
        const isNewDay = !before || dayNumber(before.at, timeZone) !== dayNumber(message.at, timeZone)
        return (
          <Fragment key={message.wamid}>
            {isNewDay ? <p className="sim-day">{titleOf(message.at)}</p> : null}
            <PhoneBubble {...bubble} message={message} timeZone={timeZone} />
          </Fragment>
        )
      })}
    </div>
  )
}
