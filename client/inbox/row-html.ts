import { attribute, type Html, html } from '#client/ui/html.ts'
import { hueOf } from '#client/ui/hue.ts'
import { iconHtml } from '#client/ui/icon-html.ts'
import { initialsOf } from '#client/ui/initials.ts'
import type { Conversation } from '#shared/inbox.ts'
import type { Language } from '#shared/language.ts'
import { nameOfNumber, shortNameOfNumber } from '#shared/number-name.ts'
import type { NumberOfOrg } from '#shared/numbers.ts'
import { rowTime, timeLeft } from '#shared/time.ts'
import { ticksHtml } from './ticks-html.ts'
import { type InboxT, kindIcon, previewOf } from './words.ts'

const windowWarningMs = 2 * 60 * 60 * 1000
const maxCount = 99

/** When and for whom a row is drawn: the same for all rows of a list. */
export interface RowReader {
  readonly now: number
  readonly timeZone: string
  readonly language: Language
  readonly t: InboxT
  /** Ours, where a row has to say which it is held on. */
  readonly numbers: readonly NumberOfOrg[]
}

const previewHtml = ({ lastMessage }: Conversation, draft: string | undefined, t: InboxT): Html => {
  if (draft)
    return html`<span class="row-last row-draft"><span class="cut"><em>${t('row.draft')}</em> ${draft}</span></span>`
  if (!lastMessage) return html`<span class="row-last"></span>`
  const { type, direction, status } = lastMessage
  const icon = kindIcon[type]
  const failed = direction === 'out' && status === 'failed'
  return html`<span class="row-last${failed && ' row-failed'}">${ticksHtml(t, direction, status)}${icon && iconHtml(icon)}<span class="cut">${previewOf(t, lastMessage)}</span></span>`
}

const controlHtml = ({ control }: Conversation, t: InboxT): Html | null => {
  if (control === 'human') return null
  const [hue, icon] = control === 'bot' ? (['violet', 'bot'] as const) : (['amber', 'person'] as const)
  const word = t(`control.${control}`)
  return html`<span class="chip chip-${hue} row-control" title="${word}">${iconHtml(icon)}<span>${word}</span></span>`
}

/** Only near its end: a window with hours left is no news. */
const windowHtml = ({ windowClosesAt }: Conversation, now: number): Html | null => {
  if (!windowClosesAt) return null
  const left = Date.parse(windowClosesAt) - now
  if (left <= 0 || left > windowWarningMs) return null
  return html`<span class="chip chip-orange">${iconHtml('clock')}${timeLeft(left)}</span>`
}

const unreadHtml = ({ unread }: Conversation, t: InboxT): Html | null =>
  unread
    ? html`<span class="count" role="img" aria-label="${t('row.unread', { count: unread })}">${unread > maxCount ? `${maxCount}+` : unread}</span>`
    : null

const numberHtml = ({ number }: Conversation, { numbers, t }: RowReader): Html | null => {
  if (number === undefined) return null
  const name = nameOfNumber(numbers, number)
  return html`<span class="chip row-number" title="${t('row.number', { number: name })}"><span class="cut">${shortNameOfNumber(numbers, number)}</span></span>`
}

/** What stands in a row of the list: the hottest markup of the product. */
export const rowHtml = (conversation: Conversation, draft: string | undefined, reader: RowReader): Html => {
  const { now, timeZone, language, t } = reader
  const { name, phone, lastMessage } = conversation
  const at = lastMessage?.at
  const time = at ? (rowTime(at, now, language, timeZone) ?? t('row.yesterday')) : null
  return html`<span class="avatar hue-${hueOf(phone)}" aria-hidden="true">${initialsOf(name)}</span><span class="row-line"><span class="row-who cut">${name}</span>${numberHtml(conversation, reader)}${windowHtml(conversation, now)}<time class="row-time"${attribute('datetime', at)}>${time}</time></span><span class="row-line">${previewHtml(conversation, draft, t)}${controlHtml(conversation, t)}${unreadHtml(conversation, t)}</span>`
}
