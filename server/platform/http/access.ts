import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { callerFacts, type EndpointShape, type RequestFacts } from '#shared/kernel/contract.ts'
import { type Capability, covers, givenFor, roleCan } from '#shared/kernel/permissions.ts'
import type { KeyHolder, Member, OrgCaller, Person, Visitor } from './actor.ts'
import { appErrors, forbidden, outOfScope } from './errors.ts'

/** The caller as known before an organization is looked up. */
export interface Caller extends Visitor {
  readonly person: Person | null
  /** Absent: no key was sent. `invalid`: an unusable key; the request is then anonymous, whatever its cookie. */
  readonly key?: KeyHolder | 'invalid'
  /**
   * The caller in the organization with this id or slug (absent: the session's active one, or the key's). Undefined: no
   * such organization, or the caller is not in it.
   */
  member(org?: string): Promise<OrgCaller | undefined>
}

/**
 * The caller of requests that this process makes to itself while it answers an admitted one. What admitted the caller,
 * such as a token for one address, does not open the addresses of these requests by itself.
 */
export const innerCallers = new AsyncLocalStorage<Caller>()

/** A key counts only if it is usable. */
export const isIdentified = ({ person, key }: Caller): boolean => person !== null || typeof key === 'object'

/** The parts of an endpoint's contract that decide who may call it. */
export type EndpointAccess = Pick<EndpointShape, 'access' | 'peopleOnly' | 'finishes' | 'wholeInbox' | 'siteAdmin'>

/** Checks the role; for a key, also the scopes it was made for. */
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

const requireSignedIn = ({ key, person }: Caller, { finishes }: EndpointAccess) => {
  if (key === 'invalid') throw appErrors.KEY_INVALID()
  if (!key && !person) throw appErrors.SIGN_IN_REQUIRED()
  if (person?.secondFactorMissing && finishes !== 'secondFactor') throw appErrors.SECOND_FACTOR_REQUIRED()
}

/** Depends only on the session, so that it does not reveal whether the person's own sign-in would have the right. */
const refusalFor = ({ person }: Caller) =>
  person?.boundOrgId === undefined ? appErrors.FORBIDDEN() : appErrors.OWN_SIGN_IN_REQUIRED()

/**
 * Checks who may call an endpoint, over HTTP and in-process alike, and returns the actor that the service gets.
 * @throws APP_SIGN_IN_REQUIRED, APP_KEY_INVALID (401), APP_ORGANIZATION_REQUIRED (400), APP_FORBIDDEN, APP_PEOPLE_ONLY,
 * APP_SECOND_FACTOR_REQUIRED, APP_SECOND_FACTOR_DEMANDED, APP_SSO_REQUIRED, APP_OWN_SIGN_IN_REQUIRED (403)
 */
export async function admit(
  endpoint: EndpointAccess,
  caller: Caller,
  org: string | undefined,
): Promise<Visitor | Person | OrgCaller> {
  const { access } = endpoint
  if (access === 'anyone') return caller.person ?? { language: caller.language }
  requireSignedIn(caller, endpoint)
  if (caller.key && (access === 'person' || endpoint.peopleOnly)) throw appErrors.PEOPLE_ONLY()
  if (endpoint.siteAdmin && caller.person?.siteRole !== 'admin') throw refusalFor(caller)
  if (access === 'person') return caller.person as Person
  if (!caller.key && !org && !caller.person?.activeOrgId) throw appErrors.ORGANIZATION_REQUIRED()
  const member = await caller.member(org)
  if (!member) throw refusalFor(caller)
  if (member.kind === 'person' && member.ssoMissing && endpoint.finishes !== 'sso') throw appErrors.SSO_REQUIRED()
  if (member.kind === 'person' && member.secondFactorDemanded) throw appErrors.SECOND_FACTOR_DEMANDED()
  if (access !== 'member') requireCapability(member, access)
  if (endpoint.wholeInbox && member.scope.kind !== 'all') throw appErrors.FORBIDDEN()
  return member
}

/**
 * The facts about the caller that the service gets. If the contract says that several callers share answers, only the
 * facts they have in common.
 */
export const narrowCaller = (
  { sameFor, withRequest }: EndpointShape,
  actor: Visitor | Person | Member | OrgCaller,
  request?: RequestFacts,
): object => {
  if (withRequest) return { ...actor, request }
  if (!sameFor) return actor
  const facts = actor as unknown as Record<string, unknown>
  return Object.fromEntries(callerFacts[sameFor].map(fact => [fact, facts[fact]]))
}

/** Judges by the decoded route, because `/%61pi/…` reaches `/api/…` too. */
export const isCall = (route: string | undefined, url: string): boolean => (route ?? url).startsWith('/api/')

/** The address of the Model Context Protocol. */
export const isForAgents = (route: string | undefined, url: string): boolean => /^\/mcp(?:[/?]|$)/.test(route ?? url)

/** Addresses for programs alone, which send their key as a bearer token. */
const isForPrograms = (route: string | undefined, url: string): boolean =>
  (route ?? url).startsWith('/graph/') || isForAgents(route, url)

type KeyRequest = Pick<FastifyRequest, 'headers' | 'query' | 'routeOptions' | 'url'>

/**
 * The API key that a request was sent with: undefined if there is none, or it is not to an address that takes keys.
 * Meta's programs send their token as bearer or in the query.
 */
export function keyTextOf({ headers, query, routeOptions, url }: KeyRequest): string | string[] | undefined {
  const key = headers['x-api-key']
  if (isCall(routeOptions.url, url)) return key
  if (!isForPrograms(routeOptions.url, url)) return undefined
  const [, bearer] = /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (isForAgents(routeOptions.url, url)) return key ?? bearer
  return key ?? bearer ?? (query as { access_token?: string | string[] }).access_token
}
