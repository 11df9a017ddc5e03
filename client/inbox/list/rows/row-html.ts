import { nameOfNumber, shortNameOfNumber } from '#client/app/number-name.ts'
import { tagsHtml } from '#client/tags/tag-html.ts'
import { hueOfKey } from '#client/ui/pictures/hue.ts'
import { iconHtml } from '#client/ui/pictures/icon-html.ts'
import { initialsOf } from '#client/ui/pictures/initials.ts'
import { attribute, type Html, html } from '#client/ui/text/html.ts'
import { shortCount } from '#client/ui/text/short-count.ts'
import { shortName } from '#client/ui/text/short-name.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { failureReason } from '#shared/inbox/failures.ts'
import type { Language } from '#shared/kernel/language.ts'
import { windowClosingMs } from '#shared/kernel/limits.ts'
import { rowTime, timeLeft } from '#shared/kernel/time.ts'
import type { NumberOfOrg } from '#shared/numbers/api.ts'
import { backText } from '../../snooze/back-text.ts'
import { shortReason } from '../../thread/bubble/short-reason.ts'
import { ticksHtml } from '../../thread/bubble/ticks-html.ts'
import { type InboxT, iconOf, messagePreview } from '../../words.ts'
import { conversationWait, type Wait, waitHtml } from './wait-html.ts'

const hourMs = 60 * 60 * 1000

/** The facts with which all rows of a list are rendered. */
export interface RowReader {
  /** The current minute. */
  readonly now: number
  readonly timeZone: string
  readonly language: Language
  readonly t: InboxT
  /** The reader, whose own conversations are marked. */
  readonly userId: string
  /** Our numbers, if a row has to show which it belongs to. */
  readonly numbers: readonly NumberOfOrg[]
}

/** Unsent texts of a chat. */
export interface RowDrafts {
  readonly draft: string | undefined
  /** Names of colleagues who have begun an answer. */
  readonly drafting?: string | undefined
}

const draftingHtml = (name: string | undefined, t: InboxT): Html | null =>
  name === undefined
    ? null
    : html`<span class="row-drafting" title="${t('draft.of', { name })}" role="img" aria-label="${t('draft.of', { name })}">${iconHtml('pencil')}<span class="cut">${name}</span></span>`

/** Says that the conversation came back from a snooze, in place of its last message: its time is that of the return. */
const returnedHtml = ({ by }: NonNullable<Conversation['snooze']>, { t, userId }: RowReader): Html =>
  html`<span class="row-last row-returned">${iconHtml('snooze')}<span class="cut" dir="auto">${by.id === userId ? t('snooze.returnedYou') : t('snooze.returned', { name: by.name })}</span></span>`

const previewHtml = (conversation: Conversation, draft: string | undefined, reader: RowReader): Html => {
  const { lastMessage, snooze } = conversation
  const { t } = reader
  if (draft)
    return html`<span class="row-last row-draft"><span class="cut"><em>${t('row.draft')}</em> <bdi>${draft}</bdi></span></span>`
  if (snooze?.returnedAt) return returnedHtml(snooze, reader)
  if (!lastMessage) return html`<span class="row-last"></span>`
  const { type, direction, status, error } = lastMessage
  const failed = direction === 'out' && status === 'failed'
  // It may have arrived: nothing to repair, as the chat says.
  const isUnconfirmed = failed && failureReason(error) === 'unconfirmed'
  const icon = failed ? undefined : iconOf(type)
  return html`<span class="row-last${failed && !isUnconfirmed && ' row-failed'}">${isUnconfirmed ? html`<span class="ticks">${iconHtml('clock')}</span>` : failed ? html`<span class="ticks ticks-failed">${iconHtml('warn')}</span>` : ticksHtml(t, direction, status)}${icon && iconHtml(icon)}<span class="cut" dir="auto">${failed ? shortReason(error, t) : messagePreview(t, lastMessage)}</span></span>`
}

/** The assignee of a conversation in a word. */
export const assigneeWord = (
  assignee: { readonly id: string; readonly name: string } | null,
  { t, userId }: Pick<RowReader, 't' | 'userId'>,
): string => {
  if (!assignee) return t('row.nobody')
  return assignee.id === userId ? t('row.you') : assignee.name
}

/** A short word for the row: a person is needed, a bot answers, or whose it is. */
const ownerWord = (
  { control, assignee, team, group }: Pick<Conversation, 'control' | 'assignee' | 'team' | 'group'>,
  { t, userId }: Pick<RowReader, 't' | 'userId'>,
): string => {
  if (control === 'needsHuman') return t('control.needsHuman')
  if (control === 'bot' && !group) return t('control.bot')
  if (control === 'metaAgent') return t('control.metaAgent')
  if (assignee && assignee.id !== userId) return shortName(assignee.name)
  return assigneeWord(assignee ?? team ?? null, { t, userId })
}

/** Words of at most this many letters are never cut, and reserve no more space than they need. */
const wholeWord = 5

const ownerHtml = (
  { control, assignee, team, group }: Conversation,
  { word, wait, reader }: { word: string; wait: Wait | undefined; reader: RowReader },
): Html => {
  const { t } = reader
  if (control === 'needsHuman')
    return wait
      ? html`<span class="row-owner row-needs${wait.isLate && ' row-needs-late'}">${!wait.isLate && iconHtml('hand')}<span class="sr-only">${word}. </span>${waitHtml(wait, t)}</span>`
      : html`<span class="row-owner row-needs">${iconHtml('hand')}<span class="cut">${word}</span></span>`
  const waits = wait && waitHtml(wait, t)
  if ((control === 'bot' && !group) || control === 'metaAgent')
    return html`<span class="row-owner row-bot">${iconHtml('bot')}${word}</span>${waits}`
  const owner = assignee ?? team
  if (!owner) return html`<span class="row-owner">${iconHtml('person')}${word}</span>${waits}`
  const room = word.length > wholeWord ? 'row-taken' : 'row-short'
  return html`<span class="row-owner ${room}" title="${owner.name}">${iconHtml('person')}<span class="cut" dir="auto">${word}</span></span>${waits}`
}

/** A window that stays open for longer than this needs no mark. */
const windowMarkMs = 6 * hourMs
/** An eighth of a window's day; its mark is drawn in eighths. */
const eighthMs = 3 * hourMs

/** The time in which one may still write: in whole hours, near the end exactly. Or that it is closed. */
const windowOf = (
  { windowClosesAt, group }: Conversation,
  { now, t }: RowReader,
): { word: string; mark: Html | null } => {
  const left = windowClosesAt ? Date.parse(windowClosesAt) - now : 0
  if (group || left > windowMarkMs) return { word: '', mark: null }
  if (left > 0 && left <= windowClosingMs) return { word: t('row.closesIn', { time: timeLeft(left) }), mark: null }
  const hours = Math.floor(left / hourMs)
  const says = left > 0 ? t('row.windowLeft', { hours }) : t('row.windowClosed')
  const drawn =
    left > 0
      ? html`<span class="row-window row-window-${Math.ceil(left / eighthMs)}"></span>${t('row.hours', { hours })}`
      : iconHtml('lock')
  return {
    word: '',
    mark: html`<span class="row-hours" role="img" aria-label="${says}" title="${says}">${drawn}</span>`,
  }
}

/** Estimated letters in a row's last line, without measuring. */
const lineLetters = 41
/** The length at which names are cut; separators take letters of it. */
const maxOfName = 18
const around = 4
const aroundWait = 2
const iconLetters = 3
const markLetters = 6

/** The time at which it comes back, and whether it waits for an answer. */
const snoozedHtml = (until: string, { snooze }: Conversation, reader: RowReader): Html => {
  const when = backText(until, reader)
  const says = reader.t(snooze?.ifNoAnswer ? 'snooze.backIfNoAnswer' : 'snooze.back', { when })
  return html`<span class="row-owner row-taken" title="${says}">${iconHtml('snooze')}<span class="cut">${says}</span></span>`
}

const factsHtml = (conversation: Conversation, drafting: string | undefined, reader: RowReader): Html => {
  const { snoozedUntil } = conversation
  const { t } = reader
  const owner = ownerWord(conversation, reader)
  const wait = snoozedUntil === undefined ? conversationWait(conversation, reader) : undefined
  // The wait says that a person is needed.
  const isWaitAlone = wait !== undefined && conversation.control === 'needsHuman'
  const { word: closing, mark } = windowOf(conversation, reader)
  const taken = (word: string | undefined) => (word ? Math.min(word.length, maxOfName) + around : 0)
  const letters =
    lineLetters -
    (isWaitAlone ? 0 : taken(owner)) -
    (wait ? wait.word.length + aroundWait + (wait.isLate ? iconLetters : 0) : 0) -
    taken(drafting) -
    taken(closing) -
    (mark ? markLetters : 0)
  return html`${snoozedUntil === undefined ? ownerHtml(conversation, { word: owner, wait, reader }) : snoozedHtml(snoozedUntil, conversation, reader)}${draftingHtml(drafting, t)}<span class="row-tags">${tagsHtml(conversation.tags, letters)}</span>${closing && html`<span class="row-closing">${iconHtml('clock')}${closing}</span>`}${mark}`
}

const unreadHtml = ({ unread }: Conversation, { t, language }: RowReader): Html | null =>
  unread
    ? html`<span class="count" role="img" aria-label="${t('row.unread', { count: unread })}">${shortCount(unread, language)}</span>`
    : null

const numberHtml = ({ number }: Conversation, { numbers, t }: RowReader): Html | null => {
  if (number === undefined) return null
  const name = nameOfNumber(numbers, number)
  return html`<span class="chip row-number" title="${t('row.number', { number: name })}"><span class="cut" dir="auto">${shortNameOfNumber(numbers, number)}</span></span>`
}

const groupHtml = ({ group }: Conversation, t: InboxT): Html | null =>
  group ? html`<span class="chip row-number">${t('row.group')}</span>` : null

/** The HTML of a row, the most frequently rendered markup of the product. */
export const rowHtml = (conversation: Conversation, { draft, drafting }: RowDrafts, reader: RowReader): Html => {
  const { now, timeZone, language, t } = reader
  const { name, phone, lastMessage, snooze } = conversation
  const at = snooze?.returnedAt ?? lastMessage?.at
  const time = at ? (rowTime(at, now, language, timeZone) ?? t('row.yesterday')) : null
  return html`<span class="avatar hue-${hueOfKey(phone)}" aria-hidden="true">${initialsOf(name)}</span><span class="row-line"><span class="row-who cut" dir="auto">${name}</span>${groupHtml(conversation, t)}${numberHtml(conversation, reader)}<time class="row-time fine"${attribute('datetime', at)}>${time}</time></span><span class="row-line">${previewHtml(conversation, draft, reader)}${unreadHtml(conversation, reader)}</span><span class="row-line row-facts fine">${factsHtml(conversation, drafting, reader)}</span>`
}
