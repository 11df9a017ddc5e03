import type { Db } from '#server/platform/db/database.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { LiveEventName } from '#shared/live/api.ts'
import { insertEvents, takeSeqs } from './store.ts'

/** An event for open tabs, before it has a number. */
export interface EventDraft {
  type: LiveEventName
  data: unknown
  /** Phone number of the customer it is about. */
  number?: string
  /** Only members who see this conversation get it. Null or absent: about none. */
  conversationId?: string | null
  /** User ids or roles (`audience.ts`). Absent: everybody who may read chats. */
  audience?: readonly string[]
}

export interface StoredEvent {
  orgId: string
  seq: number
  type: string
  at: string
  number: string | null
  conversationId: string | null
  audience: readonly string[] | null
  /** The kind of actor. */
  actor?: string | null
  /** The actor's name. */
  actorName?: string | null
  data: unknown
  /** `data` as stored, so that it is serialized once. */
  json?: string
}

/** Gives events their numbers and stores them, in the caller's transaction. `at`: the time of the change. */
export async function recordEvents(
  trx: Db,
  orgId: string,
  drafts: readonly EventDraft[],
  { at, by }: { at: string; by: EventActor | undefined },
): Promise<StoredEvent[]> {
  if (!drafts.length) return []
  const last = await takeSeqs(trx, orgId, drafts.length)
  const events = drafts.map((draft, i) => ({
    orgId,
    seq: last - drafts.length + 1 + i,
    type: draft.type,
    at,
    number: draft.number ?? null,
    conversationId: draft.conversationId ?? null,
    audience: draft.audience ?? null,
    actor: by?.kind ?? null,
    actorName: by?.name ?? null,
    data: draft.data,
    json: JSON.stringify(draft.data ?? null),
  }))
  await insertEvents(trx, orgId, events)
  return events
}
