import { customerWindowMs, windowSafetyMs } from '#shared/kernel/limits.ts'
import { type ListRow, neverActive } from './rows/list-row-store.ts'
import type { OwnNumber } from './rows/number-store.ts'

/** Characters of a message that the list keeps. */
const previewChars = 280

export const previewText = (text: string): string =>
  text.length > previewChars
    ? `${text
        .slice(0, previewChars - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
    : text

/** The row of a conversation without messages. */
export const newConversation = (facts: {
  id: string
  orgId: string
  at: string
  number: Pick<OwnNumber, 'id' | 'kind' | 'shownPhone'>
  contact: {
    id: string
    name: string | null
    profileName: string | null
    username: string | null
    waId: string | null
    bsuid: string | null
    optOut: string | null
    isGroup: boolean
    blockedAt: string | null
  }
}): ListRow => ({
  id: facts.id,
  org_id: facts.orgId,
  contact_id: facts.contact.id,
  connection_id: facts.number.id,
  kind: facts.number.kind,
  control: 'none',
  assignee_id: null,
  team_id: null,
  // A blocked contact stays out of the list on every number.
  archived: facts.contact.blockedAt === null ? 0 : 1,
  unread: 0,
  window_closes_at: null,
  free_until: null,
  last_activity_at: facts.at,
  waiting_since: null,
  last_message_seq: null,
  last_message_at: null,
  last_message_text: null,
  last_message_type: null,
  last_message_direction: null,
  last_message_status: null,
  last_message_error: null,
  last_message_notice: null,
  last_inbound_wamid: null,
  last_human_event_at: null,
  control_before_archive: null,
  created_at: facts.at,
  name: facts.contact.name,
  profile_name: facts.contact.profileName,
  username: facts.contact.username,
  wa_id: facts.contact.waId,
  bsuid: facts.contact.bsuid,
  opt_out: facts.contact.optOut,
  is_group: Number(facts.contact.isGroup),
  blocked_at: facts.contact.blockedAt,
  assignee_name: null,
  team_name: null,
  own_phone: facts.number.shownPhone,
  answer_due_at: null,
  snooze_until: null,
  snooze_if_no_answer: null,
  snooze_by_id: null,
  snooze_by_name: null,
  snooze_at: null,
  snooze_ended_at: null,
})

interface LastMessage {
  seq: number
  at: string
  text: string
  type: string
  content: string | null
  direction: string
  status: string
}

/**
 * Sets the last message unless a later one is set. The order is time, then arrival. A bulk send's template is replaced
 * by any other message. @see setBulkMessage
 */
export const setLastMessage = (row: ListRow, message: LastMessage): void => {
  const isBulkOnly = row.last_activity_at === neverActive
  // Before the first message, this is the time of a notice at most.
  if (row.last_message_seq === null || isBulkOnly || message.at > row.last_activity_at)
    row.last_activity_at = message.at
  const last = isBulkOnly ? null : row.last_message_at
  if (last !== null && (message.at < last || (message.at === last && message.seq < (row.last_message_seq ?? 0)))) return
  showAsLast(row, message)
}

/**
 * Sets the last message only if the conversation has nothing but bulk sends. A bulk send does not move a conversation
 * in the list, nor hide a customer's question. Returns whether it was set.
 */
export const setBulkMessage = (row: ListRow, message: LastMessage): boolean => {
  if (row.last_activity_at !== neverActive) return false
  showAsLast(row, message)
  return true
}

const showAsLast = (row: ListRow, message: LastMessage): void => {
  row.last_message_seq = message.seq
  row.last_message_at = message.at
  row.last_message_text = previewText(message.text)
  row.last_message_type = message.type
  row.last_message_direction = message.direction
  row.last_message_status = message.status
  row.last_message_error = null
  row.last_message_notice = message.type === 'system' ? message.content : null
}

/** Opens the window for 24 hours after the customer's message. It never gets shorter. `wamid`: for read receipts. */
export const openWindow = (row: ListRow, at: string, wamid?: string): void => {
  const closesAt = new Date(Date.parse(at) + customerWindowMs).toISOString()
  if (row.window_closes_at !== null && closesAt < row.window_closes_at) return
  row.window_closes_at = closesAt
  if (wamid !== undefined) row.last_inbound_wamid = wamid
}

/** The window is open, and stays open long enough for the request. */
export const isOpenFor = (row: Pick<ListRow, 'window_closes_at'>, now: number): boolean =>
  row.window_closes_at !== null && Date.parse(row.window_closes_at) - windowSafetyMs > now
