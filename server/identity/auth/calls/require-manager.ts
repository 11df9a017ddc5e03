import type { Member } from '#server/platform/http/actor.ts'
import { appErrors, forbidden } from '#server/platform/http/errors.ts'
import { type Capability, roleCan } from '#shared/kernel/permissions.ts'
import type { AuthCall } from './call.ts'

/**
 * The caller as a member of the organization that a call names, or else of the active one.
 * @throws if nobody is signed in, no organization is chosen, or the role lacks the capability
 */
export async function requireManager(capability: Capability, call: AuthCall, named: unknown): Promise<Member> {
  if (!call.person) throw appErrors.SIGN_IN_REQUIRED()
  const org = typeof named === 'string' && named !== '' ? named : (call.organization ?? call.person.activeOrgId)
  if (!org) throw appErrors.ORGANIZATION_REQUIRED()
  const member = await call.member(org)
  if (member?.kind !== 'person') throw appErrors.FORBIDDEN()
  if (!roleCan(member.role, capability)) throw forbidden(capability)
  return member
}
