import { setFlags } from '#server/messaging/conversations/changes/flags-store.ts'
import { type ControlCause, decideControl } from '#server/messaging/conversations/control.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { assign } from './assigning.ts'

const changeControl = async (write: OrgWrite, row: ListRow, cause: ControlCause['kind'] & ('taken' | 'released')) => {
  const { db, orgId, by, emit } = write
  const control = decideControl({ control: row.control, assigneeId: row.assignee_id }, { kind: cause })
  if (control === row.control) return row
  await setFlags(db, orgId, [row.id], { control })
  emit({ type: 'conversation.controlChanged', data: { ...conversationRef(row), from: row.control, to: control, by } })
  return { ...row, control }
}

/**
 * Refuses to assign a conversation that somebody else took meanwhile. `seen`: the assignee the caller last saw;
 * undefined: not checked. Never refuses when it is already assigned to `taker`. @throws INBOX_TAKEN_MEANWHILE
 */
export function refuseTaken(row: ListRow, seen: string | null | undefined, taker?: string | null): void {
  const { assignee_id: holder, assignee_name: name } = row
  if (seen === undefined || holder === null || holder === seen || holder === taker) return
  throw inboxErrors.TAKEN_MEANWHILE({ params: { name: name ?? '' } })
}

/**
 * Gives control to a person. Null: unassigned, or whom it is assigned to. Returns the row after the change;
 * `conversation.changed` is the caller's. @throws INBOX_ASSIGNEE_NOT_FOUND
 */
export async function giveToPerson(
  write: OrgWrite,
  row: ListRow,
  assigneeId: string | null,
  field: string,
): Promise<ListRow> {
  const given = assigneeId === null ? row : await assign(write, row, { userId: assigneeId, field })
  return changeControl(write, given, 'taken')
}

/**
 * Releases it: unassigned, and a flow may answer the next message. A conversation that a bot controls stays unchanged.
 */
export async function giveToBot(write: OrgWrite, row: ListRow): Promise<ListRow> {
  const given = await assign(write, row, { userId: null })
  return given.control === 'bot' ? given : changeControl(write, given, 'released')
}
