import { findRows, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import type { Merge } from './directory.ts'
import { type Merged, mergeContacts } from './merge-store.ts'

/** Merges each pair, in order. Returns where the threads of the deleted contacts are now. */
export async function runMerges(db: OrgDb, orgId: string, merges: readonly Merge[]): Promise<Merged[]> {
  const merged: Merged[] = []
  for (const merge of merges) merged.push(...(await mergeContacts(db, orgId, merge)))
  return merged
}

/** Follows chains: the place of each thread after all merges. */
const followed = (merged: readonly Merged[]): Merged[] =>
  merged.map((pair, i) => ({
    ...pair,
    kept: merged.slice(i + 1).reduce((kept, next) => (next.gone === kept ? next.kept : kept), pair.kept),
  }))

/**
 * Emits which rows hold threads of deleted contacts. Call it after everything is saved. `asked`: a person requested it.
 */
export async function emitMerges(
  { db, orgId, emit }: OrgWrite,
  merged: readonly Merged[],
  { asked = false }: { asked?: boolean } = {},
): Promise<void> {
  if (!merged.length) return
  const pairs = followed(merged)
  const kept = pairs.map(pair => pair.kept)
  const rows = new Map((await findRows.byId(db, kept, { orgId })).map(row => [row.id, row]))
  const tags = await readTagsOfContacts(
    db,
    orgId,
    [...rows.values()].map(row => row.contact_id),
  )
  for (const { gone, goneContact, kept: id } of pairs) {
    const row = rows.get(id)
    if (!row) continue
    const conversation = presentConversation(row, tags.get(row.contact_id))
    const of = { mergedContactId: goneContact, mergedConversationId: gone, conversation }
    const data = { ...conversationRef(row), ...of, ...(asked ? { asked } : {}) }
    emit({ type: 'contact.merged', data })
  }
}
