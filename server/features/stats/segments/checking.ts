import type { Db } from '#server/platform/db/database.ts'
import { foldSegments, nothingKnown } from './fold.ts'
import { isAnyUnread } from './progress-store.ts'
import { keptMs } from './retention.ts'
import { findPlaces, listFromPosition, listNewestConversations, listSegments, rowOf, seedOf } from './store.ts'

/** The conversations with the newest messages, of all organizations together. */
const conversationsChecked = 200
/** Longer conversations are not checked, because reading them takes too long. */
const messagesChecked = 2_000

export interface SegmentCheck {
  readonly conversations: number
  /** Ids of conversations whose stored segments differ from their messages; a healthy database has none. */
  readonly different: readonly string[]
  /** Some messages are not read yet. Their conversations are not checked. */
  readonly isBehind: boolean
}

/** Builds the segments of some conversations from their messages, and compares them with the stored ones. */
export async function checkSegments(db: Db, now: number): Promise<SegmentCheck> {
  const keptSince = new Date(now - keptMs).toISOString()
  const different: string[] = []
  let conversations = 0
  const found = await listNewestConversations(db, conversationsChecked)
  const places = new Map(
    (
      await findPlaces(
        db,
        found.map(({ id }) => id),
        {},
      )
    ).map(place => [place.conversation_id, place]),
  )
  for (const { id, org_id: orgId, connection_id: connectionId, kind } of found) {
    const messages = await listFromPosition(db, id, { from: undefined, isIncluded: true, limit: messagesChecked })
    const [first, last, place] = [messages[0], messages.at(-1), places.get(id)]
    if (!first || messages.length === messagesChecked) continue
    // Its oldest segments may have been deleted.
    if (first.at < keptSince) continue
    if (!place || place.seq !== last?.seq) continue
    const stored = await listSegments(db, id)
    // Retention deleted the messages of earlier segments, so these cannot be built again.
    const begin = stored.findIndex(row => row.started_at >= first.at)
    if (stored.length && begin < 0) continue
    conversations += 1
    const [start] = stored.slice(Math.max(begin, 0))
    const isWhole = begin <= 0 || !start
    const said = isWhole ? messages : messages.filter(message => message.at >= start.started_at)
    const made = foldSegments(said, isWhole ? nothingKnown : seedOf(start)).map(segment =>
      rowOf(segment, { conversationId: id, orgId, connectionId, kind }),
    )
    const rows = stored.slice(Math.max(begin, 0))
    // Kysely's rows and ours have their columns in the same order.
    if (JSON.stringify(made) !== JSON.stringify(rows)) different.push(id)
  }
  return { conversations, different, isBehind: await isAnyUnread(db) }
}
