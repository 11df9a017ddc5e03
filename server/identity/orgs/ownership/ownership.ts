import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { orgOwnershipApi } from '#shared/orgs/ownership.ts'
import { orgErrors } from '../errors.ts'
import type { Deletion } from '../removal/deletion.ts'
import type { OwnerLetters } from './letters.ts'
import { findNewOwner, setRole } from './store.ts'

interface OwnershipParts {
  readonly writes: Pick<Writes, 'run'>
  readonly letters: OwnerLetters
  readonly deletion: Deletion
}

/** A site administrator who impersonates an owner may not give the organization away. */
const refuseImpersonation = ({ impersonatedBy }: Member) => {
  if (impersonatedBy) throw orgErrors.NOT_WHILE_IMPERSONATING()
}

/** The calls about an organization that only owners may make. */
export function createOwnership({
  writes,
  letters,
  deletion,
}: OwnershipParts): ServiceOf<typeof orgOwnershipApi, Member> {
  return {
    /** @throws ORGS_NOT_WHILE_IMPERSONATING, ORGS_MEMBER_NOT_FOUND, InvalidInput if the caller names themselves */
    async transfer(caller, { body: { userId } }) {
      refuseImpersonation(caller)
      if (userId === caller.userId) throw new InvalidInput([{ field: 'body.userId', code: 'invalid', params: {} }])
      const { orgId } = caller
      return writes.run(orgId, actorOf(caller), async ({ db, emit, afterCommit }) => {
        const newOwner = await findNewOwner(db, orgId, userId)
        if (!newOwner) throw orgErrors.MEMBER_NOT_FOUND({ fields: ['body.userId'] })
        await setRole(db, orgId, userId, 'owner')
        // While the caller is still an owner, so that both get the mail.
        await letters.add(db, orgId, { what: 'transferred', by: caller.name, detail: newOwner.name })
        await setRole(db, orgId, caller.userId, 'admin')
        emit({ type: 'organization.changed', data: {} })
        afterCommit(() => letters.wake())
        return { ownerName: newOwner.name }
      })
    },

    /** @throws ORGS_NOT_WHILE_IMPERSONATING, ORGS_CONFIRMATION_WRONG */
    async requestDeletion(caller, { body: { slug } }) {
      refuseImpersonation(caller)
      if (slug.trim().toLowerCase() !== caller.orgSlug) throw orgErrors.CONFIRMATION_WRONG({ fields: ['body.slug'] })
      return { deletesAt: await deletion.request(caller.orgId, actorOf(caller)) }
    },

    async undoDeletion(caller) {
      refuseImpersonation(caller)
      await deletion.undo(caller.orgId, actorOf(caller))
      return { deletesAt: null }
    },
  }
}
