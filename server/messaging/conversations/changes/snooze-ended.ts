import type { OrgWrite } from '#server/platform/events/write.ts'
import type { ListRow } from '../rows/list-row-store.ts'
import { conversationRef, nameOf } from '../shown/present.ts'

/** Emits that a snooze ended. `row`: as it was while it was snoozed. */
export const emitSnoozeEnded = (
  { emit }: Pick<OrgWrite, 'emit'>,
  row: ListRow,
  { why, by }: { why: 'due' | 'answered' | 'ended'; by: OrgWrite['by'] },
): void => {
  if (row.snooze_by_id === null) return
  const data = {
    ...conversationRef(row),
    name: nameOf(row),
    snoozedById: row.snooze_by_id,
    assigneeId: row.assignee_id,
  }
  emit({ type: 'conversation.snoozeEnded', data: { ...data, why, by } })
}
