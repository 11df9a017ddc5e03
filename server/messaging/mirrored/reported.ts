import { archiveStates } from '#server/messaging/archive-states.ts'
import { previewText } from '#server/messaging/conversations/conversations.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { identifierOfAddress } from '#server/messaging/identifier.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { customerWindowMs } from '#shared/kernel/limits.ts'

/** A conversation as the system that keeps its messages tells it. */
export type Reported = Pick<
  Conversation,
  'phone' | 'name' | 'lastMessage' | 'unread' | 'archived' | 'windowClosesAt' | 'control'
>

/** The window is open for a day after a customer's message. */
export const windowAfter = (closesAt: string | null, at: string): string => {
  const closes = new Date(Date.parse(at) + customerWindowMs).toISOString()
  return closesAt !== null && closesAt > closes ? closesAt : closes
}

/** More is a fault of the other system, and a number that no column holds would fail every list with it. */
const mostUnread = 100_000

/** Values as the database can store them. A conversation of the other system may hold anything. */
export const cleanReport = (reported: Reported): Reported => ({
  ...reported,
  name: goodText(reported.name).slice(0, 200),
  unread: Math.min(reported.unread, mostUnread),
  lastMessage: reported.lastMessage && { ...reported.lastMessage, text: goodText(reported.lastMessage.text) },
})

export const isNewsFor = (row: ListRow, { lastMessage }: Pick<Reported, 'lastMessage'>): boolean =>
  (lastMessage?.at ?? '') > (row.last_message_at ?? '')

/**
 * The unread count here. The other system does not know what was read here, so only its increase is added. If its
 * count has fallen, somebody read there.
 */
const unreadAfter = (row: ListRow, theirs: number | null, unread: number): number =>
  theirs === null || unread < theirs ? unread : row.unread + unread - theirs

/**
 * The new row. Unread counts are ours until a newer message comes; so are control and assignee.
 * @param theirs what the other system counted as unread before; null if it never did
 */
export const reportedRow = (row: ListRow, theirs: number | null, reported: Reported): ListRow => {
  const { lastMessage, unread, archived, windowClosesAt, control } = reported
  const isNews = isNewsFor(row, reported)
  const givenControl = control === 'human' || control === 'needsHuman' ? control : row.control
  const last = lastMessage && {
    last_activity_at: lastMessage.at,
    last_message_at: lastMessage.at,
    last_message_text: previewText(lastMessage.text),
    last_message_type: lastMessage.type,
    last_message_direction: lastMessage.direction,
    last_message_status: lastMessage.status,
  }
  return {
    ...row,
    ...(last && (isNews || lastMessage.at === row.last_message_at) ? last : {}),
    unread: isNews ? unreadAfter(row, theirs, unread) : row.unread,
    archived: archived
      ? archiveStates.archived
      : isNews || row.archived !== archiveStates.snoozed
        ? archiveStates.open
        : archiveStates.snoozed,
    window_closes_at: windowClosesAt,
    control: row.control === 'none' ? givenControl : row.control,
  }
}

/** A conversation of which only the number is known says nothing about what is unread. */
export const saysUnread = ({ lastMessage }: Reported): boolean => lastMessage !== null

export const matchKeyOf = (phone: string) => identifierOfAddress(phone)?.key ?? phone

/** The customer wrote since. */
export const isAnswered = (before: ListRow, after: ListRow): boolean =>
  after.last_message_direction === 'in' && (after.last_message_at ?? '') > (before.last_message_at ?? '')

export const differs = (a: ListRow, b: ListRow): boolean =>
  Object.entries(b).some(([name, value]) => a[name as keyof ListRow] !== value)
