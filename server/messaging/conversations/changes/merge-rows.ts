import type { Selectable } from 'kysely'
import { archiveStates } from '#server/messaging/archive-states.ts'
import type { ConversationTable as ConversationColumns } from '#server/messaging/table.ts'
import { moreUrgent } from '../control.ts'
import { neverActive } from '../rows/list-row-store.ts'

type ConversationTable = Selectable<ConversationColumns>

const later = (a: string | null, b: string | null) => (b === null || (a !== null && a >= b) ? a : b)

const isLater = (a: ConversationTable, b: ConversationTable): boolean => {
  // A conversation with more than bulk sends comes first.
  const isBulkOnly = a.last_activity_at === neverActive
  if (isBulkOnly !== (b.last_activity_at === neverActive)) return !isBulkOnly
  if (a.last_message_at === null || b.last_message_at === null) return a.last_message_at !== null
  if (a.last_message_at !== b.last_message_at) return a.last_message_at > b.last_message_at
  return (a.last_message_seq ?? 0) > (b.last_message_seq ?? 0)
}

/** The list row of two merged threads. */
export const mergeRows = (into: ConversationTable, from: ConversationTable): Partial<ConversationTable> => {
  const last = isLater(from, into) ? from : into
  const windowClosesAt = later(into.window_closes_at, from.window_closes_at)
  return {
    control: moreUrgent(into.control, from.control),
    assignee_id: into.assignee_id ?? from.assignee_id,
    team_id: into.team_id ?? from.team_id,
    // The snooze of the deleted conversation is deleted with it.
    archived: into.archived === from.archived ? into.archived : archiveStates.open,
    unread: into.unread + from.unread,
    window_closes_at: windowClosesAt,
    free_until: later(into.free_until, from.free_until),
    last_activity_at: later(into.last_activity_at, from.last_activity_at) as string,
    waiting_since: last.waiting_since,
    last_message_seq: last.last_message_seq,
    last_message_at: last.last_message_at,
    last_message_text: last.last_message_text,
    last_message_type: last.last_message_type,
    last_message_direction: last.last_message_direction,
    last_message_status: last.last_message_status,
    last_inbound_wamid: (windowClosesAt === into.window_closes_at ? into : from).last_inbound_wamid,
  }
}
