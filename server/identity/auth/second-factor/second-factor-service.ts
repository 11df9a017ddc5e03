import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { maskAddress } from '#server/platform/mail/mail.ts'
import type { secondFactorApi } from '#shared/auth/second-factor.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { AccessLog } from '../accounts/access-log.ts'
import { authErrors } from '../errors.ts'
import { requireOwnAccount } from '../sessions/bound-sessions.ts'
import { countBackupCodes, findSecondFactor, listDemandingOrgs } from './second-factor-store.ts'
import type { SecondStep } from './second-step.ts'
import type { TrustedDevices } from './trusted-devices.ts'

/** The calls with which a person reads and changes their second factor. */
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
  // A session made by an organization's provider does not see trusted browsers, nor what other organizations demand.
  async getSecondFactor(person) {
    const { userId } = person
    const stored = await findSecondFactor(databases.read, userId)
    return {
      since: stored?.createdAt ?? null,
      backupCodes: await countBackupCodes(databases.read, userId),
      devices: person.boundOrgId === undefined ? await trustedDevices.list(userId) : [],
      demandedBy: await listDemandingOrgs(databases.read, userId, person.boundOrgId),
    }
  },

  /** @throws AUTH_DEVICE_NOT_FOUND, also for another person's device */
  async endTrust(person, { params }) {
    if (person.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    await requireOwnAccount(databases.read, person)
    const { userId, sessionId } = person
    await inTransaction(databases, async trx => {
      await onAccess?.(trx, { userId, sessionId, action: 'trustEnded' })
      // Rolls the audit entry back too.
      if (!(await trustedDevices.end(trx, userId, params.id))) throw authErrors.DEVICE_NOT_FOUND()
    })
    return { success: true }
  },

  async getSecondStep(person) {
    const ways = await secondStep.waysOf(person)
    return { isMissing: ways.length > 0, ways, email: maskAddress(person.email) }
  },
})
