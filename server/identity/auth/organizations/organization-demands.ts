import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import type { AllowedPath } from '../calls/allowed-routes.ts'
import type { AuthCall } from '../calls/call.ts'
import { findOrgOfInvitation, findOrgOfKey, findOrgOfMembership, findOrgOfTeam } from './membership-store.ts'

/** Paths about the person, not about one organization. */
const personalPaths: ReadonlySet<AllowedPath> = new Set([
  '/organization/list',
  '/organization/create',
  '/organization/check-slug',
  '/organization/set-active',
  '/organization/list-user-invitations',
  '/organization/get-invitation',
  '/organization/accept-invitation',
  '/organization/reject-invitation',
  '/organization/list-user-teams',
  '/sso/callback/:providerId',
])

const concernsOrganization = (path: AllowedPath): boolean =>
  (path.startsWith('/organization/') || path.startsWith('/api-key/') || path.startsWith('/sso/')) &&
  !personalPaths.has(path)

const textsOf = (source: unknown, names: readonly string[]): string[] => {
  const fields = (typeof source === 'object' && source !== null ? source : {}) as Record<string, unknown>
  return names.map(name => fields[name]).filter(value => typeof value === 'string')
}

const names = ['organizationId', 'organizationSlug']

/** Finds the organization by an id of something that belongs to one. */
const ownerFinders: Readonly<Record<string, (db: Db, id: string) => Promise<string | undefined>>> = {
  invitationId: findOrgOfInvitation,
  keyId: findOrgOfKey,
  teamId: findOrgOfTeam,
  memberId: findOrgOfMembership,
  memberIdOrEmail: findOrgOfMembership,
}

const findOwners = async (db: Db, sources: readonly unknown[]): Promise<string[]> => {
  const found: (string | undefined)[] = []
  for (const [name, find] of Object.entries(ownerFinders))
    for (const id of sources.flatMap(source => textsOf(source, [name]))) found.push(await find(db, id))
  return found.filter(id => id !== undefined)
}

/** A member who does not want to meet an organization's demands may leave it. */
const alwaysAllowed: ReadonlySet<AllowedPath> = new Set(['/organization/leave'])

/**
 * better-auth does not know about organizations that demand single sign-on or a second factor, nor about sessions bound
 * to one organization. So each organization that a call names anywhere, and the active one as a fallback, is checked.
 * @throws APP_SSO_REQUIRED, APP_SECOND_FACTOR_DEMANDED, APP_OWN_SIGN_IN_REQUIRED
 */
export async function requireOrganizationDemands(databases: Databases, call: AuthCall): Promise<void> {
  const { person, body, path } = call
  const isBound = person?.boundOrgId !== undefined
  if (!person || !(concernsOrganization(path) || (isBound && path === '/organization/set-active'))) return
  const query = Object.fromEntries(new URLSearchParams(call.search))
  const sources = [body, body.data, query]
  const named = [
    ...sources.flatMap(source => textsOf(source, names)),
    ...(call.organization ? [call.organization] : []),
  ]
  const active = person.activeOrgId ? [person.activeOrgId] : []
  for (const org of new Set([...named, ...(await findOwners(databases.read, sources)), ...active])) {
    const member = await call.member(org)
    if (isBound && member?.orgId !== person.boundOrgId) throw appErrors.OWN_SIGN_IN_REQUIRED()
    if (member?.kind !== 'person') continue
    if (member.ssoMissing) throw appErrors.SSO_REQUIRED()
    if (member.secondFactorDemanded && !alwaysAllowed.has(path)) throw appErrors.SECOND_FACTOR_DEMANDED()
  }
}
