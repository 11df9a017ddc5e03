import type { ServiceOf } from '#shared/contract.ts'
import type { ssoApi } from '#shared/sso.ts'
import type { Member } from '../../actor.ts'
import { type Clock, isoNow } from '../../clock.ts'
import { type Databases, type Db, inTransaction } from '../../db.ts'
import type { Streams } from '../account-calls.ts'
import { authErrors } from '../errors.ts'
import { findPersonName } from '../store.ts'
import { deleteDemand, findDemand, listMembersWithIdentity, saveDemand } from './demand-store.ts'
import { hasUsableProvider } from './provider-store.ts'

interface DemandParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly streams: Streams
}

type Calls = Pick<typeof ssoApi, 'getDemand' | 'setDemand'>

/** An organization whose people come in by single sign-on alone. Whoever turns it on keeps the other ways, for emergencies. */
export function createSsoDemand({ databases, clock, streams }: DemandParts): ServiceOf<Calls, Member> {
  const read = async (orgId: string) => {
    const demand = await findDemand(databases.read, orgId)
    const members = await listMembersWithIdentity(databases.read, orgId)
    const exempt = demand?.exemptUserId ?? null
    return {
      isRequired: demand !== undefined,
      exemptId: exempt,
      exemptName: exempt === null ? null : ((await findPersonName(databases.read, exempt)) ?? null),
      membersWithout: members.filter(({ userId, knownSince }) => knownSince === null && userId !== exempt).length,
    }
  }

  return {
    getDemand: ({ orgId }) => read(orgId),

    /** @throws AUTH_SSO_PROVIDER_FIRST, AUTH_NOT_WHILE_IMPERSONATING */
    async setDemand({ orgId, userId, impersonatedBy }, { body: { isRequired } }) {
      if (impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
      await inTransaction(databases, async trx => {
        if (!isRequired) return deleteDemand(trx, orgId)
        if (!(await hasUsableProvider(trx, orgId))) throw authErrors.SSO_PROVIDER_FIRST()
        await saveDemand(trx, orgId, userId, isoNow(clock))
      })
      // Those who meet it come back at once.
      if (isRequired)
        for (const member of await listMembersWithIdentity(databases.read, orgId))
          if (member.userId !== userId) streams.dropMember(orgId, member.userId)
      return read(orgId)
    },
  }
}

/**
 * Whoever demands it keeps a provider by which people come in. Ask it in the transaction that has taken one away.
 * @throws AUTH_SSO_DEMANDED
 */
export async function requireProviderWhereDemanded(trx: Db, orgId: string): Promise<void> {
  if ((await findDemand(trx, orgId)) && !(await hasUsableProvider(trx, orgId))) throw authErrors.SSO_DEMANDED()
}
