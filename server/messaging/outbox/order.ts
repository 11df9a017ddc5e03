import type { Db } from '#server/platform/db/database.ts'
import { moveLine } from '#server/platform/jobs/line.ts'

/** Jobs with the same key run one after another. */
export const conversationKey = (conversationId: string): string => `conversation ${conversationId}`

/** Moves jobs of a merged conversation behind those of the conversation that stays, in the caller's transaction. */
export const followMerge = (trx: Db, orgId: string, { gone, kept }: { gone: string; kept: string }): Promise<void> =>
  moveLine(trx, orgId, { from: conversationKey(gone), to: conversationKey(kept) })
