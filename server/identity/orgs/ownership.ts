import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { orgOwnershipApi } from '#shared/orgs/ownership.ts'
import type { Deletion } from './deletion.ts'
import { orgErrors } from './errors.ts'
import type { OwnerLetters } from './owner-letters.ts'
import { findHeir, setRole } from './owner-store.ts'

interface OwnershipParts {
  readonly writes: Pick<Writes, 'run'>
  readonly letters: OwnerLetters
  readonly deletion: Deletion
}

/** An administrator of the site who acts as an owner gives nothing away. */
const requireOwnHands = ({ impersonatedBy }: Member) => {
  if (impersonatedBy) throw orgErrors.NOT_WHILE_IMPERSONATING()
}

/** What only owners do with a whole organization. */
export function createOwnership({
  writes,
  letters,
  deletion,
}: OwnershipParts): ServiceOf<typeof orgOwnershipApi, Member> {
  return {
    /** @throws ORGS_NOT_WHILE_IMPERSONATING, ORGS_MEMBER_NOT_FOUND, InvalidInput for the caller themselves */
    async transfer(caller, { body: { userId } }) {
      requireOwnHands(caller)
      if (userId === caller.userId) throw new InvalidInput([{ field: 'body.userId', code: 'invalid', params: {} }])
      const { orgId } = caller
      return writes.run(orgId, actorOf(caller), async ({ db, emit, afterCommit }) => {
        const heir = await findHeir(db, orgId, userId)
        if (!heir) throw orgErrors.MEMBER_NOT_FOUND({ fields: ['body.userId'] })
        await setRole(db, orgId, userId, 'owner')
        // While the caller is one, too: both learn of it.
        await letters.add(db, orgId, { what: 'transferred', by: caller.name, detail: heir.name })
        await setRole(db, orgId, caller.userId, 'admin')
        emit({ type: 'organization.changed', data: {} })
        afterCommit(() => letters.wake())
        return { ownerName: heir.name }
      })
    },

    /** @throws ORGS_NOT_WHILE_IMPERSONATING, ORGS_CONFIRMATION_WRONG */
    async requestDeletion(caller, { body: { slug } }) {
      requireOwnHands(caller)
      if (slug.trim().toLowerCase() !== caller.orgSlug) throw orgErrors.CONFIRMATION_WRONG({ fields: ['body.slug'] })
      return { deletesAt: await deletion.request(caller.orgId, actorOf(caller)) }
    },

    async undoDeletion(caller) {
      requireOwnHands(caller)
      await deletion.undo(caller.orgId, actorOf(caller))
      return { deletesAt: null }
    },
  }
}
