import type { Viewer } from '#server/identity/visibility/scope.ts'
import { nameConversations } from '#server/messaging/conversations/shown/named.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { SegmentItem } from '#shared/stats/summary.ts'
import { listShown } from './cohort-store.ts'
import type { SegmentFacts } from './figures/segment-facts.ts'

const stateOf = ({ endedAt, waitingSince }: SegmentFacts, isResolved: boolean): SegmentItem['state'] => {
  if (endedAt === null) return waitingSince === null ? 'open' : 'waiting'
  return isResolved ? 'resolved' : 'silent'
}

const longest = (waits: readonly number[]): number | null =>
  waits.length ? waits.reduce((most, wait) => Math.max(most, wait)) : null

/** The items of these segments for lists and files. A segment that was deleted meanwhile is left out. */
export async function listItems(read: Db, viewer: Viewer, segments: readonly SegmentFacts[]): Promise<SegmentItem[]> {
  if (!segments.length) return []
  const { orgId } = viewer
  const ids = segments.map(({ id }) => id)
  const rows = new Map((await listShown(read, viewer, ids)).map(row => [row.id, row]))
  const conversationIds = [...rows.values()].flatMap(row => row.conversation_id ?? [])
  const conversations = await nameConversations(read, orgId, conversationIds)
  const names = await colleagues.findNames(read, orgId, {
    personIds: segments.flatMap(({ ownerId }) => ownerId ?? []),
    teamIds: segments.flatMap(({ teamId }) => teamId ?? []),
  })
  return segments.flatMap(segment => {
    const row = rows.get(segment.id)
    if (!row) return []
    const conversation = conversations.get(row.conversation_id ?? '')
    return {
      id: segment.id,
      number: conversation?.number ?? null,
      address: conversation?.address ?? null,
      name: conversation?.name ?? null,
      tags: [...(conversation?.tags ?? [])],
      owner: names.people.get(segment.ownerId ?? '') ?? null,
      team: names.teams.get(segment.teamId ?? '') ?? null,
      origin: row.origin,
      startedAt: new Date(segment.startedAt).toISOString(),
      firstResponseMs: segment.firstResponseMs,
      waitMs: longest(segment.waits),
      endedAt: segment.endedAt === null ? null : new Date(segment.endedAt).toISOString(),
      messagesIn: row.messages_in,
      messagesOut: row.messages_out,
      state: stateOf(segment, row.resolved_at !== null),
    }
  })
}
