import { callerFacts, type EndpointShape } from '#shared/kernel/contract.ts'
import { type Capability, covers, givenFor, roleCan } from '#shared/kernel/permissions.ts'
import type { KeyHolder, Member, OrgCaller, Person, Visitor } from './actor.ts'
import { appErrors, forbidden, outOfScope } from './errors.ts'

/** Who is asking, as far as it is known without asking for an organization. */
export interface Caller extends Visitor {
  readonly person: Person | null
  /** Absent: no key was sent. `invalid`: one that opens nothing (any more); then nobody is asking, whatever the cookie. */
  readonly key?: KeyHolder | 'invalid'
  /**
   * The caller inside the organization named by id or slug (absent: the session's active one, or the key's).
   * Undefined: no such organization, or not in it; one answer for both.
   */
  member(org?: string): Promise<OrgCaller | undefined>
}

/** Whether anybody is asking at all: somebody signed in, or a program with a key. */
export const isSomebody = ({ person, key }: Caller): boolean => person !== null || typeof key === 'object'

/** What of an endpoint says who is let in. */
export type Entrance = Pick<EndpointShape, 'access' | 'peopleOnly' | 'finishes' | 'wholeInbox' | 'siteAdmin'>

/** By role, and with a key also by what it was made for. */
const requireCapability = (caller: OrgCaller, capability: Capability): void => {
  if (!roleCan(caller.role, capability)) throw forbidden(capability)
  const held = caller.kind === 'person' ? null : caller.capabilities
  const isInScope =
    !held ||
    covers(
      held.filter(one => roleCan(caller.role, one)),
      capability,
    )
  if (!isInScope) throw outOfScope(givenFor(capability))
}

const requireSignedIn = ({ key, person }: Caller, { finishes }: Entrance) => {
  if (key === 'invalid') throw appErrors.KEY_INVALID()
  if (!key && !person) throw appErrors.SIGN_IN_REQUIRED()
  if (person?.secondFactorMissing && finishes !== 'secondFactor') throw appErrors.SECOND_FACTOR_REQUIRED()
}

/** Whether the person could do it with a sign-in of their own is not told: both read the same. */
const closedTo = ({ person }: Caller) =>
  person?.boundOrgId === undefined ? appErrors.FORBIDDEN() : appErrors.OWN_SIGN_IN_REQUIRED()

/**
 * The one entrance to every endpoint, over HTTP and in-process alike: answers the actor the service gets.
 * @throws APP_SIGN_IN_REQUIRED, APP_KEY_INVALID (401), APP_ORGANIZATION_REQUIRED (400), APP_FORBIDDEN, APP_PEOPLE_ONLY,
 * APP_SECOND_FACTOR_REQUIRED, APP_SECOND_FACTOR_DEMANDED, APP_SSO_REQUIRED,
 * APP_OWN_SIGN_IN_REQUIRED (403)
 */
export async function admit(
  entrance: Entrance,
  caller: Caller,
  org: string | undefined,
): Promise<Visitor | Person | OrgCaller> {
  const { access } = entrance
  if (access === 'anyone') return caller.person ?? { language: caller.language }
  requireSignedIn(caller, entrance)
  if (caller.key && (access === 'person' || entrance.peopleOnly)) throw appErrors.PEOPLE_ONLY()
  if (entrance.siteAdmin && caller.person?.siteRole !== 'admin') throw closedTo(caller)
  if (access === 'person') return caller.person as Person
  if (!caller.key && !org && !caller.person?.activeOrgId) throw appErrors.ORGANIZATION_REQUIRED()
  const member = await caller.member(org)
  if (!member) throw closedTo(caller)
  if (member.kind === 'person' && member.ssoMissing && entrance.finishes !== 'sso') throw appErrors.SSO_REQUIRED()
  if (member.kind === 'person' && member.secondFactorDemanded) throw appErrors.SECOND_FACTOR_DEMANDED()
  if (access !== 'member') requireCapability(member, access)
  if (entrance.wholeInbox && member.scope.kind !== 'all') throw appErrors.FORBIDDEN()
  return member
}

/**
 * What the service learns of whom it answers: where the contract says that answers are the same for several, only what
 * is the same for them.
 */
export const narrowCaller = ({ sameFor }: EndpointShape, actor: Visitor | Person | Member | OrgCaller): object => {
  if (!sameFor) return actor
  const facts = actor as unknown as Record<string, unknown>
  return Object.fromEntries(callerFacts[sameFor].map(fact => [fact, facts[fact]]))
}

/** Decoded addresses decide: `/%61pi/…` reaches `/api/…` too. */
export const isCall = (route: string | undefined, url: string): boolean => (route ?? url).startsWith('/api/')
