import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ssoApi } from '#shared/auth/sso.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { findPersonName } from '../accounts/account-store.ts'
import { authErrors } from '../errors.ts'
import type { Streams } from '../sessions/streams.ts'
import { deleteDemand, findDemand, listMembersWithIdentity, saveDemand } from './demand-store.ts'
import { hasUsableProvider } from './provider-store.ts'

interface DemandParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly streams: Streams
}

type Calls = Pick<typeof ssoApi, 'getDemand' | 'setDemand'>

/** Lets an owner demand single sign-on. The owner who turns it on is exempt, for emergencies. */
export function createSsoDemand({ databases, clock, writes, streams }: DemandParts): ServiceOf<Calls, Member> {
  /** If nobody is exempt yet, the caller would be, so the caller is not listed among those who would lose access. */
  const read = async ({ orgId, userId: asker }: Member) => {
    const demand = await findDemand(databases.read, orgId)
    const members = await listMembersWithIdentity(databases.read, orgId)
    const exempt = demand?.exemptUserId ?? null
    return {
      isRequired: demand !== undefined,
      exemptId: exempt,
      exemptName: exempt === null ? null : ((await findPersonName(databases.read, exempt)) ?? null),
      membersWithout: members.filter(({ userId, knownSince }) => knownSince === null && userId !== (exempt ?? asker))
        .length,
    }
  }

  return {
    getDemand: read,

    /** @throws AUTH_SSO_PROVIDER_FIRST, AUTH_NOT_WHILE_IMPERSONATING */
    async setDemand(member, { body: { isRequired } }) {
      const { orgId, userId } = member
      if (member.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
      await writes.run(orgId, actorOf(member), async ({ db, emit }) => {
        emit({ type: 'organization.changed', data: {} })
        if (!isRequired) return deleteDemand(db, orgId)
        if (!(await hasUsableProvider(db, orgId))) throw authErrors.SSO_PROVIDER_FIRST()
        await saveDemand(db, orgId, userId, isoNow(clock))
      })
      // Closes the streams of all others; those who meet the demand reconnect at once.
      if (isRequired)
        for (const other of await listMembersWithIdentity(databases.read, orgId))
          if (other.userId !== userId) streams.dropMember(orgId, other.userId)
      return read(member)
    },
  }
}

/**
 * An organization that demands single sign-on must keep a usable provider. Call it in the transaction that removed or
 * changed one.
 * @throws AUTH_SSO_DEMANDED
 */
export async function requireProviderWhereDemanded(trx: Db, orgId: string): Promise<void> {
  if ((await findDemand(trx, orgId)) && !(await hasUsableProvider(trx, orgId))) throw authErrors.SSO_DEMANDED()
}
