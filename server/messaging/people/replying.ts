import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { findLastWriter } from '#server/messaging/conversations/rows/store.ts'
import { conversationRef, nameOf } from '#server/messaging/conversations/shown/present.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { setAssignment } from './assignment-store.ts'

interface ReplyParts {
  /** True: the first reply of a member assigns them an unassigned conversation. Absent: it does. */
  assignsOnReply?(orgId: string, db: Db): Promise<boolean>
}

/** The effect of a reply on the assignment. Call `save` after the conversation is saved, then `emitEvents`. */
interface ReplyEffect {
  save(): Promise<void>
  emitEvents(): void
}

const noEffect: ReplyEffect = { save: async () => undefined, emitEvents: () => undefined }

/**
 * The first reply of a member assigns an unassigned conversation to them; `row` is changed at once. A reply of another
 * member than the assignee changes nothing and gets a line in the thread, once until somebody else replies. Call it
 * before the reply is stored. `replier`: undefined if no known member wrote it.
 */
export async function applyReply(
  write: OrgWrite,
  row: ListRow,
  replier: { readonly id: string; readonly name: string } | undefined,
  { assignsOnReply }: ReplyParts,
): Promise<ReplyEffect> {
  const { db, orgId, by, emit } = write
  if (!replier || row.assignee_id === replier.id) return noEffect
  const ref = conversationRef(row)
  if (row.assignee_id !== null) {
    const assigneeId = row.assignee_id
    if ((await findLastWriter(db, orgId, row.id)) === replier.id) return noEffect
    return { ...noEffect, emitEvents: () => emit({ type: 'conversation.helped', data: { ...ref, assigneeId, by } }) }
  }
  if (assignsOnReply && !(await assignsOnReply(orgId, db))) return noEffect
  row.assignee_id = replier.id
  row.assignee_name = replier.name
  const from = { userId: null, teamId: row.team_id }
  return {
    save: () => setAssignment(db, orgId, [row.id], { assignee_id: replier.id, control: row.control }),
    emitEvents: () =>
      emit({
        type: 'conversation.assigned',
        data: { ...ref, name: nameOf(row), from, to: { ...from, userId: replier.id }, by, byReply: true },
      }),
  }
}
