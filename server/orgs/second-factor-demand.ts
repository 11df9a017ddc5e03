import type { ServiceOf } from '#shared/contract.ts'
import type { orgSettingsApi } from '#shared/org-settings.ts'
import type { Member } from '../actor.ts'
import { type Clock, isoNow } from '../clock.ts'
import { type Databases, inTransaction } from '../db.ts'
import { orgErrors } from './errors.ts'
import { isSecondFactorRequired, listMembersWithout, saveSecondFactorRequired } from './second-factor-demand-store.ts'

interface DemandParts {
  readonly databases: Databases
  readonly clock: Clock
  /** Ends what a member gets live at once. */
  dropMember(orgId: string, userId: string): void
}

type Calls = Pick<typeof orgSettingsApi, 'getSecondFactorDemand' | 'setSecondFactorDemand'>

/** An organization that demands a second factor of its members. */
export function createSecondFactorDemand({ databases, clock, dropMember }: DemandParts): ServiceOf<Calls, Member> {
  return {
    async getSecondFactorDemand({ orgId }) {
      const without = await listMembersWithout(databases.read, orgId)
      return { isRequired: await isSecondFactorRequired(databases.read, orgId), membersWithout: without.length }
    },

    /** @throws ORGS_SECOND_FACTOR_FIRST */
    async setSecondFactorDemand({ orgId, userId }, { body: { isRequired } }) {
      const without = await inTransaction(databases, async trx => {
        const members = await listMembersWithout(trx, orgId)
        if (isRequired && members.includes(userId)) throw orgErrors.SECOND_FACTOR_FIRST()
        await saveSecondFactorRequired(trx, orgId, isRequired, isoNow(clock))
        return members
      })
      if (isRequired) for (const member of without) dropMember(orgId, member)
      return { isRequired, membersWithout: without.length }
    },
  }
}
