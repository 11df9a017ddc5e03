import type { SealedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { TokenAuthentication } from '#shared/auth/sso.ts'
import type { ProviderClient } from './identity-provider.ts'
import type { ProviderRow } from './provider-store.ts'

/** Where a client's secret is sealed for. */
export const secretPlace = (orgId: string, providerId: string): string =>
  `sso_provider.client_secret ${orgId} ${providerId}`

export const sealedClientSecrets: SealedColumn = {
  table: 'sso_provider',
  key: ['org_id', 'id'],
  column: 'client_secret',
  placeOf: secretPlace,
}

/** A provider with its secret open. */
export const clientOf = (row: ProviderRow, vault: Vault): ProviderClient => ({
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret: vault.open(row.client_secret, secretPlace(row.org_id, row.id)),
  tokenEndpoint: row.token_endpoint,
  userInfoEndpoint: row.user_info_endpoint,
  jwksEndpoint: row.jwks_endpoint,
  tokenAuthentication: row.token_authentication as TokenAuthentication,
})
