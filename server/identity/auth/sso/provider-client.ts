import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { TokenAuthentication } from '#shared/auth/sso.ts'
import type { ProviderClient } from './identity-provider.ts'
import type { ProviderRow } from './provider-store.ts'

/** Context that a client secret is encrypted for. */
export const secretContext = (orgId: string, providerId: string): string =>
  `sso_provider.client_secret ${orgId} ${providerId}`

export const sealedClientSecrets: EncryptedColumn = {
  table: 'sso_provider',
  key: ['org_id', 'id'],
  column: 'client_secret',
  contextOf: secretContext,
}

/** With the secret decrypted. */
export const clientOf = (row: ProviderRow, vault: Vault): ProviderClient => ({
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret: vault.decrypt(row.client_secret, secretContext(row.org_id, row.id)),
  tokenEndpoint: row.token_endpoint,
  userInfoEndpoint: row.user_info_endpoint,
  jwksEndpoint: row.jwks_endpoint,
  tokenAuthentication: row.token_authentication as TokenAuthentication,
})
