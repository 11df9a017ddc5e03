import type { Config } from '#server/platform/config/config.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { hasPendingInvitation } from '../organizations/invitation-store.ts'
import {
  ensureInstallation,
  findFirstOrgClaim,
  findOldestUserId,
  hasAnyOrganization,
  hasAnyUser,
  setFirstOrgClaim,
  setInstallationAdmin,
} from './installation-store.ts'

/** The people who may sign up and create organizations, by SIGNUP. */
export interface SignUpPolicy {
  /**
   * `open`: everybody. `first`: everybody until the first organization exists, later by invitation. `invite`: by
   * invitation; also the very first person, whom nobody could invite.
   */
  maySignUp(email: string): Promise<boolean>
  /**
   * True if the person may create an organization. `open`: everybody. `first`: the creator of the first one, and site
   * administrators. `invite`: site administrators. In `first` mode the result `true` reserves the first organization
   * for this person.
   */
  claimCreation(user: { readonly id: string; readonly siteRole: string | null | undefined }): Promise<boolean>
  /** Makes the oldest account site administrator, once in the life of an installation. */
  appointAdmin(): Promise<void>
}

export function createPolicy(parts: {
  config: Pick<Config, 'signup'>
  databases: Databases
  clock: Clock
}): SignUpPolicy {
  const { databases, clock } = parts
  const { signup } = parts.config

  return {
    async maySignUp(email) {
      if (signup === 'open') return true
      if (await hasPendingInvitation(databases.read, email, isoNow(clock))) return true
      if (!(await hasAnyUser(databases.read))) return true
      if (signup === 'invite') return false
      return !(await hasAnyOrganization(databases.read)) && (await findFirstOrgClaim(databases.read)) === null
    },

    async claimCreation({ id, siteRole }) {
      if (signup === 'open' || siteRole === 'admin') return true
      if (signup === 'invite') return false
      return inTransaction(databases, async trx => {
        const { first_org_user_id: claimedBy } = await ensureInstallation(trx, isoNow(clock))
        if (claimedBy !== null && claimedBy !== id) return false
        if (await hasAnyOrganization(trx)) return false
        await setFirstOrgClaim(trx, id)
        return true
      })
    },

    async appointAdmin() {
      await inTransaction(databases, async trx => {
        const row = await ensureInstallation(trx, isoNow(clock))
        if (row.admin_user_id !== null) return
        const oldest = await findOldestUserId(trx)
        if (oldest) await setInstallationAdmin(trx, oldest)
      })
    },
  }
}
