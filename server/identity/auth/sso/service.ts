import type { Config } from '#server/platform/config/config.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type SsoEndpoints, type ssoApi, ssoCallbackPath } from '#shared/auth/sso.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { testProvider } from './connection-test.ts'
import { discoverEndpoints } from './discovery.ts'
import { readDomain } from './domain.ts'
import type { DomainMail } from './domain-mail.ts'
import type { IdentityProvider, ProviderClient } from './identity-provider.ts'
import { clientOf } from './provider-client.ts'
import { findProviderOf, findUsableByDomain, findUsableBySlug } from './provider-store.ts'

interface SsoServiceParts {
  readonly config: Pick<Config, 'publicUrl'>
  readonly databases: Databases
  readonly vault: Vault
  readonly budgets: Budgets
  readonly identityProvider: IdentityProvider
  readonly domainMail: Pick<DomainMail, 'send'>
}

/** @throws AUTH_SSO_ADDRESS_REFUSED naming the first address that must not be called */
export const requireAddresses = (
  addresses: Partial<SsoEndpoints & { issuer: string }>,
  { mayCall }: Pick<IdentityProvider, 'mayCall'>,
): void => {
  for (const [field, address] of Object.entries(addresses))
    if (address !== undefined && !mayCall(address))
      throw authErrors.SSO_ADDRESS_REFUSED({ fields: [`body.${field}`], params: { address: address.slice(0, 200) } })
}

/** @throws AUTH_SSO_DOMAIN_INVALID */
export const requireDomain = (typed: string): string => {
  const domain = readDomain(typed)
  if (domain === undefined) throw authErrors.SSO_DOMAIN_INVALID({ fields: ['body.domain'] })
  return domain
}

type Calls = Pick<typeof ssoApi, 'findOffer' | 'discover' | 'test' | 'sendDomainCode'>

/** Calls about providers beyond those of better-auth. */
export function createSsoService(parts: SsoServiceParts): ServiceOf<Calls, OrgCaller> {
  const { config, databases, vault, budgets, identityProvider, domainMail } = parts

  const requireBudget = ({ orgId }: OrgCaller) =>
    refuseExhausted(budgets, [budgets.ssoCheck(orgId)], authErrors.TOO_MANY_REQUESTS)

  return {
    async findOffer(_caller, { query: { organization, domain } }) {
      const wanted = domain === undefined ? undefined : readDomain(domain)
      const found = wanted
        ? await findUsableByDomain(databases.read, wanted)
        : organization === undefined
          ? undefined
          : await findUsableBySlug(databases.read, organization)
      return { offer: found ? { providerId: found.id, name: found.name, domain: found.domain } : null }
    },

    async discover(caller, { body }) {
      const domain = requireDomain(body.domain)
      requireAddresses({ issuer: body.issuer }, identityProvider)
      await requireBudget(caller)
      return discoverEndpoints(identityProvider, { domain, issuer: body.issuer })
    },

    async sendDomainCode(caller, { body }) {
      if (caller.kind !== 'person') throw appErrors.FORBIDDEN()
      if (caller.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
      const row = await findProviderOf(databases.read, caller.orgId, body.providerId)
      if (!row) throw authErrors.SSO_PROVIDER_NOT_FOUND()
      if (row.domain_verified_at !== null) throw authErrors.SSO_DOMAIN_VERIFIED()
      return domainMail.send(caller, row, body.mailbox)
    },

    async test(caller, { body }) {
      const { providerId, ...typed } = body
      const row = providerId === undefined ? undefined : await findProviderOf(databases.read, caller.orgId, providerId)
      if (providerId !== undefined && !row) throw authErrors.SSO_PROVIDER_NOT_FOUND()
      const stored = row && clientOf(row, vault)
      const client = { tokenAuthentication: 'client_secret_basic' as const, ...stored, ...typed }
      const missing = (['issuer', 'clientId', 'clientSecret', 'tokenEndpoint', 'jwksEndpoint'] as const).filter(
        field => client[field] === undefined,
      )
      if (missing.length)
        throw new InvalidInput(missing.map(field => ({ field: `body.${field}`, code: 'required', params: {} })))
      const { issuer, tokenEndpoint, jwksEndpoint } = typed
      // A stored secret is sent only to the stored provider, never to an address from the request.
      if (row && typed.clientSecret === undefined && (issuer ?? tokenEndpoint ?? jwksEndpoint) !== undefined)
        throw new InvalidInput([{ field: 'body.clientSecret', code: 'required', params: {} }])
      requireAddresses({ issuer, tokenEndpoint, jwksEndpoint }, identityProvider)
      await requireBudget(caller)
      const redirectUri = `${config.publicUrl}${ssoCallbackPath(row?.id ?? 'test')}`
      return { checks: await testProvider(identityProvider, client as ProviderClient, redirectUri) }
    },
  }
}
