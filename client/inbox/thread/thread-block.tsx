import { Fragment, memo } from 'react'
import type { Message } from '#shared/inbox/messages.ts'
import type { Language } from '#shared/kernel/language.ts'
import { dayNumber, dayTitle, dayWordOf } from '#shared/kernel/time.ts'
import type { InboxT } from '../words.ts'
import { Bubble } from './bubble/bubble.tsx'
import type { MessageActs } from './bubble/message-acts.ts'
import { type Block, messageKey } from './thread-blocks.ts'

const joinedWithinMs = 3 * 60 * 1000

const isJoined = (message: Message, before: Message | undefined) =>
  before !== undefined &&
  before.direction === message.direction &&
  before.type !== 'system' &&
  before.author?.kind === message.author?.kind &&
  before.author?.name === message.author?.name &&
  Date.parse(message.at) - Date.parse(before.at) < joinedWithinMs

/** The same stable object for all messages of a thread. */
export interface ThreadReader {
  readonly name: string
  /** A time on the current day. */
  readonly now: number
  readonly timeZone: string
  readonly language: Language
  readonly t: InboxT
  readonly acts: MessageActs
  /** Opens the choice of a day. `at`: the clicked day. */
  readonly onDate: (at: string) => void
}

/** The beginning of a day. Clicking it opens the choice of a day. */
const Day = ({ at, ago, reader }: { at: string; ago: number; reader: ThreadReader }) => {
  const { now, language, timeZone, t, onDate } = reader
  const word = dayWordOf(ago)
  const title = dayTitle(at, now, language, timeZone)
  return (
    <button type="button" className="day" title={t('jump.label')} aria-haspopup="dialog" onClick={() => onDate(at)}>
      {word ? `${t(`thread.${word}`)}, ${title}` : title}
    </button>
  )
}

interface ThreadBlockProps {
  block: Block
  reader: ThreadReader
  measure: (element: HTMLElement | null) => void
  /** The first unread message. */
  unreadFrom: string | undefined
  /** Ids of messages in this block whose tools are rendered. */
  pointed: string | undefined
  sought: string | undefined
  entered: string | undefined
}

/** Some messages of a thread, with separators between them. */
export const ThreadBlock = memo((props: ThreadBlockProps) => {
  const { block, reader, measure, unreadFrom, pointed, sought, entered } = props
  const { name, now, timeZone, t, acts } = reader
  const dayOf = (message: Message | undefined) => message && dayNumber(message.at, timeZone)
  const today = dayNumber(new Date(now).toISOString(), timeZone)
  return (
    <div className="block" data-block={block.key} ref={measure}>
      {block.messages.map((message, i) => {
        const before = i ? block.messages[i - 1] : block.before
        const day = dayOf(message) as number
        const isNewDay = day !== dayOf(before)
        return (
          <Fragment key={messageKey(message)}>
            {isNewDay ? <Day at={message.at} ago={today - day} reader={reader} /> : null}
            {message.id === unreadFrom ? <p className="unread-line">{t('thread.unreadFrom')}</p> : null}
            <Bubble
              message={message}
              name={name}
              joined={!isNewDay && isJoined(message, before)}
              timeZone={timeZone}
              t={t}
              acts={acts}
              isReached={[pointed, sought, entered].includes(message.id)}
              isSought={sought === message.id}
            />
          </Fragment>
        )
      })}
    </div>
  )
})
