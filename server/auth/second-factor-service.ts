import type { ServiceOf } from '#shared/contract.ts'
import type { secondFactorApi } from '#shared/second-factor.ts'
import type { Person } from '../actor.ts'
import { type Databases, inTransaction } from '../db.ts'
import type { AccessLog } from './access-log.ts'
import { authErrors } from './errors.ts'
import { countBackupCodes, findSecondFactor, listDemandingOrgs } from './second-factor-store.ts'
import type { SecondStep } from './second-step.ts'
import type { TrustedDevices } from './trusted-devices.ts'

/** What a person sees of their second factor. */
export const createSecondFactorService = ({
  databases,
  secondStep,
  trustedDevices,
  onAccess,
}: AccessLog & {
  readonly databases: Databases
  readonly secondStep: SecondStep
  readonly trustedDevices: TrustedDevices
}): ServiceOf<typeof secondFactorApi, Person> => ({
  async getSecondFactor({ userId }) {
    const stored = await findSecondFactor(databases.read, userId)
    return {
      since: stored?.createdAt ?? null,
      backupCodes: await countBackupCodes(databases.read, userId),
      devices: await trustedDevices.list(userId),
      demandedBy: await listDemandingOrgs(databases.read, userId),
    }
  },

  /** @throws AUTH_DEVICE_NOT_FOUND, for another person's as for none. */
  async endTrust(person, { params }) {
    if (person.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    const { userId, sessionId } = person
    await inTransaction(databases, async trx => {
      await onAccess?.(trx, { userId, sessionId, action: 'trustEnded' })
      // What is not there takes the entry back with it.
      if (!(await trustedDevices.end(trx, userId, params.id))) throw authErrors.DEVICE_NOT_FOUND()
    })
    return { success: true }
  },

  async getSecondStep(person) {
    const ways = await secondStep.waysOf(person)
    return { isMissing: ways.length > 0, ways, email: person.email }
  },
})
