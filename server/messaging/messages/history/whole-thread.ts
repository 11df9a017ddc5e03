import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { MessageFacts } from '#server/messaging/events.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { messageFacts } from '../present.ts'
import { findPlace, listThreadAfter, listThreadSince, type ThreadPlace } from './thread-store.ts'

const nothing = { quotes: new Map(), reactions: new Map() }
/** No message is older. */
const beginning = new Date(0).toISOString()

/** All messages of a conversation that the viewer sees, oldest first, in pages; without quotes and reactions. */
export async function* readWholeThread(
  { read, turn }: Databases,
  viewer: Viewer,
  { conversationId, pageSize }: { conversationId: string; pageSize: number },
): AsyncGenerator<MessageFacts[]> {
  let page = await listThreadSince(read, viewer, { conversationId, since: beginning, pageSize })
  for (;;) {
    const last = page.rows[0]
    if (!last) return
    yield page.rows.toReversed().map(row => messageFacts(row, nothing))
    if (!page.hasNewer) return
    await turn.giveWay()
    const place: ThreadPlace | undefined = await findPlace(read, viewer, conversationId, last.id)
    if (!place) throw new Error('A message was deleted while its conversation was read')
    page = await listThreadAfter(read, viewer, { conversationId, place, pageSize })
  }
}
