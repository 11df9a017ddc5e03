import { iconHtml } from '#client/ui/pictures/icon-html.ts'
import { type Html, html } from '#client/ui/text/html.ts'
import { answerDueIn } from '#shared/inbox/answer-due.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { clockTime } from '#shared/kernel/time.ts'
import type { InboxT } from '../../words.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface WaitReader {
  readonly now: number
  readonly timeZone: string
  readonly t: InboxT
}

/** The time that a customer has waited, or that the promised first response may still take. */
export interface Wait {
  readonly word: string
  /** The time alone, such as `6 min`. Empty: unknown. */
  readonly time: string
  /** The long form, for the tooltip. */
  readonly says: string
  /** A first response was promised. */
  readonly isPromised: boolean
  /** The promised time has passed. */
  readonly isLate: boolean
}

/** `18 min`, `5 h`, `3 d`. Empty: they do not wait, or since just now. */
const waitedFor = ({ waitingSince }: Conversation, { now, t }: WaitReader): string => {
  const ms = waitingSince === undefined ? 0 : now - Date.parse(waitingSince)
  if (ms < minuteMs) return ''
  if (ms < hourMs) return t('row.waits.minutes', { count: Math.floor(ms / minuteMs) })
  if (ms < dayMs) return t('row.waits.hours', { count: Math.floor(ms / hourMs) })
  return t('row.waits.days', { count: Math.floor(ms / dayMs) })
}

/**
 * One wait, one word: while a first response is promised, the time left for it; afterwards how long the customer has
 * waited, marked as late. Undefined: nobody waits.
 */
export const conversationWait = (conversation: Conversation, reader: WaitReader): Wait | undefined => {
  const { answerDueAt, waitingSince, control } = conversation
  const { now, timeZone, t } = reader
  const due = answerDueAt === undefined ? undefined : answerDueIn(answerDueAt, now, waitingSince)
  const time = control === 'bot' ? '' : waitedFor(conversation, reader)
  const promise = answerDueAt && due ? t('row.answerBy', { time: clockTime(answerDueAt, timeZone) }) : undefined
  if (promise && !due?.isLate)
    return {
      word: t('row.promiseLeft', { time: due?.time ?? '' }),
      time: due?.time ?? '',
      says: promise,
      isPromised: true,
      isLate: false,
    }
  const isLate = answerDueAt !== undefined
  const word = time ? t('row.waitsTime', { time }) : isLate ? t('row.promiseBroken') : ''
  if (!word) return undefined
  const says = [time ? t('row.waitsFor', { time }) : undefined, promise].filter(Boolean).join('. ') || word
  return { word, time, says, isPromised: isLate, isLate }
}

/** Draws the wait with its icon, which is a warning once it is late. */
export const waitHtml = ({ word, says, isLate }: Wait, t: InboxT): Html =>
  html`<span class="row-waits${isLate && ' row-late'}" title="${says}">${isLate && iconHtml('warn')}${isLate && html`<span class="sr-only">${t('row.promiseBroken')}. </span>`}${word}</span>`
