import { seen, seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { maxTags } from '#shared/tags/api.ts'
import { hasTag } from '../list/list-filter-store.ts'
import { type ShownRow, selectShown } from '../rows/list-row-store.ts'

export interface FoundRow {
  id: string
  seq: number
  conversation_id: string
  direction: string
  type: string
  text: string
  at: string
  author_kind: string | null
  author_name: string | null
  media_name: string | null
}

/** The found messages as a search shows them, latest arrival first. */
export const listFoundMessages = async (db: Db, viewer: Viewer, seqs: readonly number[]): Promise<FoundRow[]> =>
  seqs.length
    ? db
        .selectFrom('message')
        .leftJoin('media', 'media.message_id', 'message.id')
        .select([
          'message.id',
          'message.seq',
          'message.conversation_id',
          'message.direction',
          'message.type',
          'message.text',
          'message.at',
          'message.author_kind',
          'message.author_name',
          'media.name as media_name',
        ])
        .where('message.seq', 'in', seqs)
        .where(belongsTo('message.org_id', viewer.orgId))
        .where(seenThrough(viewer.scope, 'message.conversation_id'))
        .orderBy('message.seq', 'desc')
        .execute()
    : []

/** Returns the conversations, latest activity first. With tags: only those whose contact has all of them. */
export async function listConversationsById(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
  tagIds: readonly string[] = [],
): Promise<ShownRow[]> {
  if (!ids.length) return []
  let select = selectShown(db)
    .where('conversation.id', 'in', ids)
    .where(belongsTo('conversation.org_id', viewer.orgId))
    .where(seen(viewer.scope))
  for (const tagId of tagIds) select = select.where(hasTag(tagId))
  return select.orderBy('conversation.last_activity_at', 'desc').orderBy('conversation.id', 'desc').execute()
}

/** The organization's tags, by label. */
export const listTagLabels = (db: Db, orgId: string): Promise<{ id: string; label: string }[]> =>
  db.selectFrom('tag').select(['id', 'label']).where('org_id', '=', orgId).orderBy('label').limit(maxTags).execute()

/** The arrival number (`seq`) of a message. Undefined: it does not exist for this viewer. */
export const findArrival = async (db: Db, viewer: Viewer, id: string): Promise<number | undefined> => {
  const row = await db
    .selectFrom('message')
    .select('seq')
    .where('id', '=', id)
    .where(belongsTo('message.org_id', viewer.orgId))
    .where(seenThrough(viewer.scope, 'message.conversation_id'))
    .executeTakeFirst()
  return row?.seq
}
