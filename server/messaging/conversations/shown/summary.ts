import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { listConversationsById } from '../search/found-store.ts'
import { nameOf } from './present.ts'

/** The customer of a conversation and what they said last. */
interface Summary {
  readonly name: string
  /** Absent: the last message is not the customer's. */
  readonly said?: { readonly type: string; readonly text: string }
}

/** Returns the conversations that the viewer sees, by id. */
export async function summarize(db: Db, viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, Summary>> {
  const rows = await listConversationsById(db, viewer, ids)
  return new Map(
    rows.map(row => {
      const { last_message_direction: direction, last_message_type: type, last_message_text: text } = row
      return [
        row.id,
        { name: nameOf(row), ...(direction === 'in' && type ? { said: { type, text: text ?? '' } } : {}) },
      ]
    }),
  )
}
