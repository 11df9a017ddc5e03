import type { Generated } from 'kysely'

export interface SsoProviderTable {
  /** Public: part of the callback address. */
  id: string
  org_id: string
  name: string
  /** Lower case; what follows the `@`. */
  domain: string
  issuer: string
  client_id: string
  /** Encrypted. */
  client_secret: string
  authorization_endpoint: string
  token_endpoint: string
  user_info_endpoint: string
  jwks_endpoint: string
  /** `client_secret_basic` or `client_secret_post`. */
  token_authentication: string
  email_claim: string
  name_claim: string
  is_active: Generated<number>
  /** One of `orgRoles`; read it through `effectiveRole`. */
  role: string
  team_id: string | null
  domain_token: string
  domain_verified_at: string | null
  /** `dns` or `mail`; null: not verified. */
  domain_proof: Generated<string | null>
  created_at: string
  updated_at: string
}

interface SsoIdentityTable {
  provider_id: string
  /** The provider's id of the person (`sub`). */
  subject: string
  user_id: string
  created_at: string
}

/** A sign-in that was sent to the provider. */
interface SsoAttemptTable {
  state_hash: string
  provider_id: string
  browser_hash: string
  return_to: string | null
  expires_at: string
}

/** An organization that demands single sign-on. */
interface SsoDemandTable {
  org_id: string
  /** An owner who is exempt, as long as they are an owner. */
  exempt_user_id: string | null
  created_at: string
}

export interface SsoTables {
  sso_demand: SsoDemandTable
  sso_provider: SsoProviderTable
  sso_identity: SsoIdentityTable
  sso_attempt: SsoAttemptTable
}
