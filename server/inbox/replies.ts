import type { Db } from '../db.ts'
import type { EventDraft } from '../live/hub.ts'
import { addressOf } from './identifier.ts'
import type { ListRow } from './list-row.ts'
import { listRepliers } from './members-store.ts'
import { nameOf } from './present.ts'
import { findLastWriter } from './store.ts'
import { isFresh, type Notify, severalWords, shortName, title } from './waiting.ts'

/**
 * Tells of customers' answers in conversations that are in a person's hands: whoever it is assigned to, else who of
 * ours wrote last. `replies`: how many messages came, by row.
 */
export async function tellFollowers(
  db: Db,
  orgId: string,
  replies: ReadonlyMap<ListRow, number>,
  now: Date,
  notify: Notify,
): Promise<EventDraft[]> {
  const news = [...replies].filter(([row]) => isFresh(row, now.getTime()))
  if (!news.length) return []
  const repliers = new Set(await listRepliers(db, orgId))
  const drafts: EventDraft[] = []
  for (const [row, count] of news) {
    const follower = row.assignee_id ?? (await findLastWriter(db, orgId, row.id))
    if (follower === undefined || !repliers.has(follower)) continue
    const name = shortName(nameOf(row))
    drafts.push(
      ...(await notify(db, orgId, {
        userIds: [follower],
        title,
        message: `${name} respondió`,
        words: { key: 'replied', params: { name } },
        redirect: `/${addressOf(row)}`,
        conversation: { id: row.id, count, several: severalWords(name) },
      })),
    )
  }
  return drafts
}
