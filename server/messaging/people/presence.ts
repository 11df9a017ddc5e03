import { requireChat } from '#server/messaging/conversations/chat.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { updatePresence } from '#server/platform/http/presence.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { maxPresent, type presenceApi } from '#shared/inbox/presence.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { deleteEndedPresence, deleteStay, listPresent, saveStay } from './presence-store.ts'

const prunedAtOnce = 500

interface Presence {
  readonly service: ServiceOf<typeof presenceApi, OrgCaller>
  /** Deletes expired presence. Returns the number of rows. */
  prune(now: Date): Promise<number>
}

/** Tracks who has a chat open and who is writing in it, so that no customer is answered twice. */
export function createPresence({
  databases,
  clock,
  writes,
}: {
  databases: Databases
  clock: Clock
  writes: Pick<Writes, 'run'>
}): Presence {
  return {
    service: {
      setPresence: (caller, { params, body: { state } }) =>
        writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
          const row = await requireChat(db, caller, params.phone)
          const now = clock.now()
          const limit = maxPresent + 1
          const there = await listPresent(db, orgId, { conversationId: row.id, at: now.toISOString(), limit })
          const { items, kept, left, news } = updatePresence(caller, state, { there, now })
          if (kept) await saveStay(db, orgId, row.id, kept)
          if (left) await deleteStay(db, orgId, row.id, left)
          if (news) emit({ type: 'conversation.presence', data: { ...conversationRef(row), ...news } })
          return { items }
        }),
    },

    prune: now =>
      inBatches(prunedAtOnce, limit =>
        inTransaction(databases, trx => deleteEndedPresence(trx, now.toISOString(), limit)),
      ),
  }
}
