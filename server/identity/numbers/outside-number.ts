import type { OrgDb } from '#server/platform/events/write.ts'
import { insertOutsideNumber } from './outside-number-store.ts'

export { hasConnectedNumber, outsideId } from './outside-number-store.ts'

/**
 * The id of the row that stands for a number which another system operates. It counts as disconnected: its conversations
 * are shown, and nothing is sent from here. `made`: id and time of a new row.
 */
export const ensureOutsideNumber = (db: OrgDb, orgId: string, made: { id: string; at: string }): Promise<string> =>
  insertOutsideNumber(db, orgId, made)
