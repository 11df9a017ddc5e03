import type { Databases, Db } from '../db.ts'
import { appErrors } from '../errors.ts'
import type { AllowedPath } from './allowed-routes.ts'
import type { AuthCall } from './call.ts'
import { findOrgOfInvitation, findOrgOfKey } from './store.ts'

/** What a person does beside any organization, or on the way into one. */
const ofThePerson: ReadonlySet<AllowedPath> = new Set([
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
  !ofThePerson.has(path)

const textsOf = (source: unknown, names: readonly string[]): string[] => {
  const fields = (typeof source === 'object' && source !== null ? source : {}) as Record<string, unknown>
  return names.map(name => fields[name]).filter(value => typeof value === 'string')
}

const names = ['organizationId', 'organizationSlug']

/** Whose an invitation or a key is: their ids say it without naming the organization. */
const ownersOf = async (db: Db, body: AuthCall['body']): Promise<string[]> => {
  const [invitationId] = textsOf(body, ['invitationId'])
  const [keyId] = textsOf(body, ['keyId'])
  const invitationOrg = invitationId === undefined ? undefined : await findOrgOfInvitation(db, invitationId)
  const keyOrg = keyId === undefined ? undefined : await findOrgOfKey(db, keyId)
  return [invitationOrg, keyOrg].filter(id => id !== undefined)
}

/** Whoever is not willing to do what an organization demands may go. */
const alwaysOpen: ReadonlySet<AllowedPath> = new Set(['/organization/leave'])

/**
 * better-auth knows nothing of organizations that demand single sign-on or a second factor: every one that a call names, in whatever place,
 * and the active one, on which some calls fall back, must not miss it.
 * @throws APP_SSO_REQUIRED, APP_SECOND_FACTOR_DEMANDED
 */
export async function requireOrganizationDemands(databases: Databases, call: AuthCall): Promise<void> {
  const { person, body, path } = call
  if (!person || !concernsOrganization(path)) return
  const query = Object.fromEntries(new URLSearchParams(call.search))
  const named = [body, body.data, query].flatMap(source => textsOf(source, names))
  const active = person.activeOrgId ? [person.activeOrgId] : []
  for (const org of new Set([...named, ...(await ownersOf(databases.read, body)), ...active])) {
    const member = await call.member(org)
    if (member?.kind !== 'person') continue
    if (member.ssoMissing) throw appErrors.SSO_REQUIRED()
    if (member.secondFactorDemanded && !alwaysOpen.has(path)) throw appErrors.SECOND_FACTOR_DEMANDED()
  }
}
