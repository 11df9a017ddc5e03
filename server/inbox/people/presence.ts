import type { ServiceOf } from '#shared/contract.ts'
import { lookingMs, mostPresent, type presenceApi, writingMs } from '#shared/presence.ts'
import { callerId, type OrgCaller } from '../../actor.ts'
import type { Clock } from '../../clock.ts'
import { type Databases, inTransaction } from '../../db.ts'
import { actorOf } from '../../events/actors.ts'
import type { Writes } from '../../events/writes.ts'
import { inBatches } from '../../in-batches.ts'
import { requireChat } from '../conversations/chat.ts'
import { placeOf } from '../present.ts'
import { deleteEndedStays, deleteStay, listStays, type Stay, saveStay } from './presence-store.ts'

const prunedAtOnce = 500

export interface Presence {
  readonly service: ServiceOf<typeof presenceApi, OrgCaller>
  /** Deletes what nobody is shown any more; answers how many. */
  prune(now: Date): Promise<number>
}

/** Who has a chat open and who writes in it, so that no customer is answered twice. */
export function createPresence({
  databases,
  clock,
  writes,
}: {
  databases: Databases
  clock: Clock
  writes: Pick<Writes, 'run'>
}): Presence {
  const later = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()

  const isWriting = ({ writesUntil }: Stay, at: string) => (writesUntil ?? '') > at
  const presentOf = (stay: Stay, at: string) => ({ id: stay.id, name: stay.name, isWriting: isWriting(stay, at) })

  return {
    service: {
      setPresence: (caller, { params, body: { state } }) =>
        writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
          const row = await requireChat(db, caller, params.phone)
          const at = clock.now().toISOString()
          const there = await listStays(db, orgId, { conversationId: row.id, at, limit: mostPresent + 1 })
          const id = callerId(caller)
          const others = there.filter(one => one.id !== id).slice(0, mostPresent)
          const items = others.map(one => presentOf(one, at))
          // Whoever acts as somebody else looks unseen: it is not that person who is there.
          if (caller.kind === 'person' && caller.impersonatedBy) return { items }
          const before = there.find(one => one.id === id)
          const isGone = state === 'gone'
          const writesUntil = state === 'writing' ? later(writingMs) : (before?.writesUntil ?? null)
          const stay: Stay = { id, name: caller.name, looksUntil: later(lookingMs), writesUntil }
          if (!isGone) await saveStay(db, orgId, row.id, stay)
          else if (before) await deleteStay(db, orgId, row.id, id)
          // That somebody still looks the next answer tells; that they still write, nobody asks for.
          const isNews = isGone ? before : !before || state === 'writing'
          if (isNews)
            emit({ type: 'conversation.presence', data: { ...placeOf(row), person: presentOf(stay, at), isGone } })
          return { items }
        }),
    },

    prune: now =>
      inBatches(prunedAtOnce, limit =>
        inTransaction(databases, trx => deleteEndedStays(trx, now.toISOString(), limit)),
      ),
  }
}
