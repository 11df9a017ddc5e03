import type { Static } from 'typebox'
import { randomHex } from '#server/platform/crypto/random.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { maxSsoProviders } from '#shared/auth/sso.ts'
import type { RegisterSsoProvider } from '../calls/schemas.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { discoverEndpoints } from './discovery.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { secretContext } from './provider-client.ts'
import {
  countProviders,
  findDomainOwner,
  findProvider,
  hasProviderFor,
  insertProvider,
  isTeamOf,
} from './provider-store.ts'
import { requireAddresses, requireDomain } from './service.ts'

interface RegisteringParts {
  readonly clock: Clock
  readonly vault: Vault
  readonly budgets: Budgets
  readonly identityProvider: IdentityProvider
}

const domainTokenBytes = 10
const endpointNames = ['authorizationEndpoint', 'tokenEndpoint', 'userInfoEndpoint', 'jwksEndpoint'] as const

/** `levadura.example` becomes `Levadura`. */
const nameOfDomain = (domain: string): string => {
  const [first = domain] = domain.split('.')
  return first.charAt(0).toUpperCase() + first.slice(1)
}

/** @throws AUTH_TEAM_NOT_FOUND */
export const requireTeam = async (db: Db, orgId: string, teamId: string | null | undefined): Promise<void> => {
  if (teamId && !(await isTeamOf(db, orgId, teamId))) throw authErrors.TEAM_NOT_FOUND({ fields: ['body.teamId'] })
}

/**
 * Registers a provider that is inactive until its domain is verified. Endpoints that the request lacks are discovered.
 * @param change runs the changes in one transaction
 */
export async function registerProvider(
  { clock, vault, budgets, identityProvider }: RegisteringParts,
  orgId: string,
  body: Static<typeof RegisterSsoProvider>,
  change: (work: (db: OrgDb) => Promise<void>) => Promise<void>,
): Promise<void> {
  const domain = requireDomain(body.domain)
  const endpoints = Object.fromEntries(endpointNames.map(name => [name, body[name]]))
  requireAddresses({ issuer: body.issuer, ...endpoints }, identityProvider)
  await refuseExhausted(budgets, [budgets.ssoCheck(orgId)], authErrors.TOO_MANY_REQUESTS)
  const isWhole = endpointNames.every(name => body[name] !== undefined)
  const found = isWhole ? undefined : await discoverEndpoints(identityProvider, { domain, issuer: body.issuer })
  const at = isoNow(clock)
  const { providerId: id } = body
  await change(async db => {
    await requireTeam(db, orgId, body.teamId)
    if (await findProvider(db, id)) throw authErrors.SSO_ID_TAKEN({ fields: ['body.providerId'] })
    if (await hasProviderFor(db, orgId, domain)) throw authErrors.SSO_DOMAIN_TWICE({ fields: ['body.domain'] })
    if ((await findDomainOwner(db, domain))?.domainProof === 'dns')
      throw authErrors.SSO_DOMAIN_TAKEN({ fields: ['body.domain'] })
    if ((await countProviders(db, orgId)) >= maxSsoProviders)
      throw authErrors.TOO_MANY_SSO_PROVIDERS({ params: { max: maxSsoProviders } })
    await insertProvider(db, {
      id,
      org_id: orgId,
      name: nameOfDomain(domain),
      domain,
      issuer: body.issuer ?? found?.issuer ?? `https://${domain}`,
      client_id: body.clientId,
      client_secret: vault.encrypt(body.clientSecret, secretContext(orgId, id)),
      authorization_endpoint: body.authorizationEndpoint ?? (found?.authorizationEndpoint as string),
      token_endpoint: body.tokenEndpoint ?? (found?.tokenEndpoint as string),
      user_info_endpoint: body.userInfoEndpoint ?? (found?.userInfoEndpoint as string),
      jwks_endpoint: body.jwksEndpoint ?? (found?.jwksEndpoint as string),
      token_authentication: body.tokenEndpointAuthentication ?? found?.tokenAuthentication ?? 'client_secret_basic',
      email_claim: body.mapping?.email ?? 'email',
      name_claim: body.mapping?.name ?? 'name',
      role: body.role ?? 'member',
      team_id: body.teamId ?? null,
      domain_token: randomHex(domainTokenBytes),
      created_at: at,
      updated_at: at,
    })
  })
}
