import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { nameOf } from '../present.ts'
import { listConversationsById } from './found-store.ts'

/** With whom a conversation is, and what the customer said last. */
export interface Glance {
  readonly name: string
  /** Absent: the last word is ours, or nobody's. */
  readonly said?: { readonly type: string; readonly text: string }
}

/** Those of these conversations that the viewer sees, by id. */
export async function glanceAt(db: Db, viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, Glance>> {
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
