import type { OrgWrite } from '#server/platform/events/write.ts'
import type { TappedAction } from '#shared/inbox/message-actions.ts'
import type { Fresh } from '../messages/inbound-messages.ts'

/** What stands behind the button with this id; undefined: it is none of ours, or was sent to somebody else. */
export type ActionOf = (
  write: Pick<OrgWrite, 'db' | 'orgId'>,
  tap: { conversationId: string; id: string; at: string },
) => Promise<TappedAction | undefined>
/** By the message of the tap. */
export type TappedActions = ReadonlyMap<string, TappedAction>

/** Of the messages that were just stored, those that tapped a button behind which something happens. */
export async function tappedActions(
  write: OrgWrite,
  fresh: readonly Fresh[],
  actionOf: ActionOf | undefined,
): Promise<TappedActions> {
  const found = new Map<string, TappedAction>()
  if (!actionOf) return found
  /** Of two taps at once the first alone does something. */
  const taken = new Set<string>()
  for (const { row, item, message } of fresh) {
    if (item.kind !== 'message' || item.past || item.groupId !== undefined) continue
    const choice = item.body.content?.choice
    if (choice?.kind !== 'button' || choice.id === null || choice.id === undefined) continue
    const action = await actionOf(write, { conversationId: row.id, id: choice.id, at: message.at })
    if (!action) continue
    found.set(message.id, { ...action, isFirst: action.isFirst && !taken.has(action.messageId) })
    taken.add(action.messageId)
  }
  return found
}
