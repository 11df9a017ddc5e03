import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Pack } from './encoding.ts'
import './table.ts'

/** The day of an organization whose segments are packed together. */
export interface PackKey {
  readonly org_id: string
  readonly kind: 'cloud' | 'sandbox'
  readonly day: string
}

const ofKey = ({ org_id: orgId, kind, day }: PackKey) => ({ org_id: orgId, kind, day })

/**
 * The ids that are read. They are four fifths of a pack: figures need none, and those by tag need the conversations'.
 */
export type PackIds = 'all' | 'conversations' | 'none'

/** Days with segments from `from` to `to`, newest first. Ids that are not asked for are null. */
export const listPacks = (
  db: Db,
  orgId: string,
  { from, to, limit, ids }: { from: string; to: string; limit: number; ids: PackIds },
) =>
  db
    .selectFrom('conversation_segment_pack')
    .select(eb => [
      'day',
      'data',
      (ids === 'all' ? eb.ref('ids') : eb.val<string | null>(null)).as('ids'),
      (ids === 'none' ? eb.val<string | null>(null) : eb.ref('conversation_ids')).as('conversation_ids'),
    ])
    .where('org_id', '=', orgId)
    .where('kind', '=', listedKind(orgId))
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()

/** Days before `before` that are not packed, of all organizations. */
export const listUnpacked = (db: Db, { before, limit }: { before: string; limit: number }): Promise<PackKey[]> =>
  db
    .selectFrom('conversation_segment_pack')
    .select(['org_id', 'kind', 'day'])
    .where('data', 'is', null)
    .where('day', '<', before)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()

export const listPacked = (db: Db, limit: number): Promise<PackKey[]> =>
  db
    .selectFrom('conversation_segment_pack')
    .select(['org_id', 'kind', 'day'])
    .where('data', 'is not', null)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()

export const findPack = (db: Db, key: PackKey) =>
  db
    .selectFrom('conversation_segment_pack')
    .select(['data', 'ids', 'conversation_ids'])
    .where(({ and }) => and(ofKey(key)))
    .executeTakeFirst()

export async function setPackToken(trx: Db, keys: readonly PackKey[], token: string): Promise<void> {
  for (const key of keys)
    await trx
      .updateTable('conversation_segment_pack')
      .set({ token })
      .where(({ and }) => and(ofKey(key)))
      .execute()
}

/** Stores a pack unless a segment of the day has changed since the token was set. An empty pack deletes the day. */
export async function savePack(trx: Db, key: PackKey, token: string, pack: Pack | undefined): Promise<void> {
  if (!pack) {
    await trx
      .deleteFrom('conversation_segment_pack')
      .where(({ and }) => and({ ...ofKey(key), token }))
      .execute()
    return
  }
  await trx
    .updateTable('conversation_segment_pack')
    .set({ token: null, data: pack.data, ids: pack.ids, conversation_ids: pack.conversationIds })
    .where(({ and }) => and({ ...ofKey(key), token }))
    .execute()
}
