import { type Access, type EndpointShape, toldFacts } from '#shared/contract.ts'
import { roleCan } from '#shared/permissions.ts'
import type { Member, Person, Visitor } from './actor.ts'
import { appErrors } from './errors.ts'

/** Who is asking, as far as it is known without asking for an organization. */
export interface Caller extends Visitor {
  readonly person: Person | null
  /**
   * The caller as a member of the organization named by id or slug (absent: the session's active one).
   * Undefined: no such organization, or not a member; one answer for both.
   */
  member(org?: string): Promise<Member | undefined>
}

/**
 * The one door to every endpoint, over HTTP and in-process alike: answers the actor the service gets.
 * @throws APP_SIGN_IN_REQUIRED (401), APP_ORGANIZATION_REQUIRED (400), APP_FORBIDDEN (403)
 */
export async function admit(
  access: Access,
  caller: Caller,
  org: string | undefined,
): Promise<Visitor | Person | Member> {
  if (access === 'anyone') return caller.person ?? { language: caller.language }
  if (!caller.person) throw appErrors.SIGN_IN_REQUIRED()
  if (access === 'person') return caller.person
  if (!org && !caller.person.activeOrgId) throw appErrors.ORGANIZATION_REQUIRED()
  const member = await caller.member(org)
  if (!member) throw appErrors.FORBIDDEN()
  if (access !== 'member' && !roleCan(member.role, access))
    throw appErrors.FORBIDDEN({ params: { capability: access } })
  return member
}

/**
 * What the service learns of whom it answers: where the contract says that answers are the same for several, only what
 * is the same for them.
 */
export const toldOf = ({ sameFor }: EndpointShape, actor: Visitor | Person | Member): object => {
  if (!sameFor) return actor
  const facts = actor as unknown as Record<string, unknown>
  return Object.fromEntries(toldFacts[sameFor].map(fact => [fact, facts[fact]]))
}
