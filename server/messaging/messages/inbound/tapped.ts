import type { OrgWrite } from '#server/platform/events/write.ts'
import type { TappedAction } from '#shared/inbox/message-actions.ts'
import type { Fresh } from './messages.ts'

/** The action behind the button with this id. Undefined: not ours, or sent to somebody else. */
export type ActionOf = (
  write: Pick<OrgWrite, 'db' | 'orgId'>,
  tap: { conversationId: string; id: string; at: string },
) => Promise<TappedAction | undefined>
/** The tapped actions, by the id of the message with the tap. */
export type TappedActions = ReadonlyMap<string, TappedAction>

/** Returns the new messages in which a customer tapped a button with an action. */
export async function tappedActions(
  write: OrgWrite,
  fresh: readonly Fresh[],
  actionOf: ActionOf | undefined,
): Promise<TappedActions> {
  const found = new Map<string, TappedAction>()
  if (!actionOf) return found
  /** Messages with buttons that were tapped in this loop: only the first of two taps triggers the action. */
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
