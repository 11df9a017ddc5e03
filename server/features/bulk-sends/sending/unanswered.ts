import type { Db } from '#server/platform/db/database.ts'
import { triggerLimits } from '#shared/flows/triggers/triggers.ts'
import { findSend } from '../store.ts'
import { type AnswerableRow, findAnswerable } from './recipient-store.ts'

/** A customer's first message within this time counts as the answer. */
export const answersWithinMs = triggerLimits.answerDays * 24 * 60 * 60 * 1000

/** The last send in each conversation: that is what the customer answers. */
export const latestSends = (found: readonly AnswerableRow[]): AnswerableRow[] => {
  const latest = new Map<string, AnswerableRow>()
  for (const row of found) {
    const known = latest.get(row.conversation_id)
    if (!known || row.handed_at > known.handed_at) latest.set(row.conversation_id, row)
  }
  return [...latest.values()]
}

/** The last send in each of these conversations since a time, if it is unanswered, by conversation. */
export async function findUnanswered(
  db: Db,
  orgId: string,
  conversationIds: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, { sendId: string; at: string }>> {
  const found = conversationIds.length ? await findAnswerable(db, conversationIds, { orgId, since }) : []
  return new Map(latestSends(found).map(row => [row.conversation_id, { sendId: row.send_id, at: row.handed_at }]))
}

export const hasSend = async (db: Db, orgId: string, id: string): Promise<boolean> =>
  (await findSend(db, orgId, id)) !== undefined
