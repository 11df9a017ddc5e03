import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { orgSettingsApi } from '#shared/orgs/settings.ts'
import { orgErrors } from '../errors.ts'
import { isSecondFactorRequired, listMembersWithout } from './second-factor-demand-store.ts'
import { saveSettings } from './store.ts'

interface DemandParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  /** Closes a member's live streams. */
  dropMember(orgId: string, userId: string): void
}

type Calls = Pick<typeof orgSettingsApi, 'getSecondFactorDemand' | 'setSecondFactorDemand'>

/** Lets an organization demand a second factor from its members. */
export function createSecondFactorDemand({
  databases,
  clock,
  writes,
  dropMember,
}: DemandParts): ServiceOf<Calls, Member> {
  return {
    async getSecondFactorDemand({ orgId }) {
      const without = await listMembersWithout(databases.read, orgId)
      return { isRequired: await isSecondFactorRequired(databases.read, orgId), membersWithout: without.length }
    },

    /** @throws ORGS_SECOND_FACTOR_FIRST */
    async setSecondFactorDemand(member, { body: { isRequired } }) {
      const { orgId, userId } = member
      const without = await writes.run(orgId, actorOf(member), async ({ db, emit }) => {
        const members = await listMembersWithout(db, orgId)
        if (isRequired && members.includes(userId)) throw orgErrors.SECOND_FACTOR_FIRST()
        await saveSettings(db, orgId, { secondFactorRequired: isRequired }, isoNow(clock))
        emit({ type: 'organization.changed', data: {} })
        return members
      })
      if (isRequired) for (const id of without) dropMember(orgId, id)
      return { isRequired, membersWithout: without.length }
    },
  }
}
