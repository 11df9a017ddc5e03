import type { Db } from '#server/platform/db/database.ts'
import { moveLine } from '#server/platform/jobs/line.ts'

/** Messages of one conversation leave one after another. */
export const conversationKey = (conversationId: string): string => `conversation ${conversationId}`

/** What waits for a conversation that became part of another leaves in that one's order. In the caller's transaction. */
export const followMerge = (trx: Db, orgId: string, { gone, kept }: { gone: string; kept: string }): Promise<void> =>
  moveLine(trx, orgId, { from: conversationKey(gone), to: conversationKey(kept) })
