/** A person has let a program in, and the program has a code for it. */
export interface OauthCodeTable {
  code_hash: string
  org_id: string
  /** The membership that the program will act with. */
  member_id: string
  client_hash: string
  name: string
  host: string
  redirect_uri: string
  /** The challenge of PKCE, method S256. */
  challenge: string
  /** Separated by spaces. */
  scopes: string
  /** The identity provider of the session that let it in; null: none. */
  sso_provider_id: string | null
  expires_at: string
  used_at: string | null
  /** The key that its first use made. */
  key_id: string | null
}

/** A connected program. Its name, member, scopes and last use are those of its API key. */
interface OauthProgramTable {
  key_id: string
  org_id: string
  client_hash: string
  host: string
  /** @see OauthCodeTable.sso_provider_id */
  sso_provider_id: string | null
  /** Its last refresh token ends then. */
  ends_at: string
}

export interface OauthTokenTable {
  hash: string
  key_id: string
  org_id: string
  kind: 'access' | 'refresh'
  expires_at: string
  /** The time at which a refresh token was exchanged for the next one. */
  replaced_at: string | null
}

export interface ProgramTables {
  oauth_code: OauthCodeTable
  oauth_program: OauthProgramTable
  oauth_token: OauthTokenTable
}
