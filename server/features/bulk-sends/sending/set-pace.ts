import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { bulkPaceApi } from '#shared/bulk-sends/pace.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { requireNumber, type Senders } from '../senders.ts'
import type { Pace } from './pace.ts'
import { saveSetPace } from './pace-store.ts'
import type { PeopleLimit } from './people-limit.ts'

export interface SetPaceParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
  readonly senders: Pick<Senders, 'listNumbers'>
  readonly pace: Pick<Pace, 'of'>
  readonly peopleLimit: Pick<PeopleLimit, 'leftOf'>
}

/** The organization's rate of bulk messages. */
export function createSetPace(parts: SetPaceParts): ServiceOf<typeof bulkPaceApi, OrgCaller> {
  const { databases, writes, senders, pace, peopleLimit } = parts
  const numberOf = async (db: Db, orgId: string) => requireNumber(await senders.listNumbers(db, orgId))
  return {
    async getPace({ orgId }) {
      const { read } = databases
      const { id, messagingLimit } = await numberOf(read, orgId)
      const { usualPerSecond } = await pace.of(read, orgId, id)
      return {
        perSecond: usualPerSecond,
        room: await peopleLimit.leftOf(read, { orgId, limit: messagingLimit }),
      }
    },

    setPace: (caller, { body: { perSecond } }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const { id, messagingLimit } = await numberOf(db, orgId)
        await saveSetPace(db, orgId, id, perSecond)
        return { perSecond, room: await peopleLimit.leftOf(db, { orgId, limit: messagingLimit }) }
      }),
  }
}
