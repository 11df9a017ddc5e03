import type { Generated } from 'kysely'
import type { SsoTables } from './sso/table.ts'

/**
 * better-auth's tables under its own column names: ISO text for times, 0/1 for flags. It makes the rows; what its calls
 * cannot do is done by SQL, here and in `orgs/`: the first administrator, a logo, the end of sessions, of an organization.
 */
export interface UserTable {
  id: string
  name: string
  /** Lower case. */
  email: string
  emailVerified: number
  image: string | null
  createdAt: string
  updatedAt: string
  /** Site role: `admin` or `user`; null counts as `user`. */
  role: string | null
  banned: number | null
  banReason: string | null
  /** Null with `banned = 1`: for ever. */
  banExpires: string | null
  /** Lower case; null: no password either. */
  username: Generated<string | null>
  /** What the composer puts below what they write; null: nothing. */
  signature: Generated<string | null>
}

export interface SessionTable {
  id: string
  expiresAt: string
  token: string
  createdAt: string
  updatedAt: string
  ipAddress: string | null
  userAgent: string | null
  userId: string
  activeOrganizationId: string | null
  activeTeamId: string | null
  impersonatedBy: string | null
  /** Ours: `code`, `password` or `sso`, by which the person came while the second factor is missing; null: nothing is. */
  halfSignedInBy: Generated<string | null>
  /** Ours: by which provider it was made; null: by none, or by one that is gone. */
  ssoProviderId: Generated<string | null>
  /** Ours: the only organization it opens, as that one's provider made it; null: the person signed in themself. */
  boundOrgId: Generated<string | null>
}

export interface AccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: string | null
  refreshTokenExpiresAt: string | null
  scope: string | null
  password: string | null
  createdAt: string
  updatedAt: string
}

export interface VerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: string
  createdAt: string
  updatedAt: string
}

export interface OrganizationTable {
  id: string
  name: string
  slug: string
  logo: string | null
  createdAt: string
  /** JSON. */
  metadata: string | null
  /** Out of everybody's sight since then; its rows are being deleted. */
  deleted_at: Generated<string | null>
}

export interface TeamTable {
  id: string
  name: string
  description: Generated<string | null>
  memberCount: number
  organizationId: string
  createdAt: string
  updatedAt: string | null
}

export interface TeamMemberTable {
  id: string
  teamId: string
  userId: string
  membershipKey: string | null
  createdAt: string | null
}

export interface MemberTable {
  id: string
  organizationId: string
  userId: string
  /** One of `orgRoles`; read it through `effectiveRole`. */
  role: string
  createdAt: string
  /** The person's name, which the database keeps: lists go by it. */
  sort_name: Generated<string>
}

export interface InvitationTable {
  id: string
  organizationId: string
  email: string
  role: string | null
  teamId: string | null
  status: string
  expiresAt: string
  createdAt: string
  inviterId: string
}

/** A key of an organization, its `referenceId`. */
export interface ApiKeyTable {
  id: string
  configId: string
  name: string | null
  /** First characters, for people. */
  start: string | null
  referenceId: string
  prefix: string | null
  /** SHA-256 of the key. */
  key: string
  refillInterval: number | null
  refillAmount: number | null
  lastRefillAt: string | null
  enabled: number | null
  rateLimitEnabled: number | null
  rateLimitTimeWindow: number | null
  rateLimitMax: number | null
  requestCount: number | null
  remaining: number | null
  lastRequest: string | null
  expiresAt: string | null
  createdAt: string
  updatedAt: string
  /** JSON. */
  permissions: string | null
  /** JSON. */
  metadata: string | null
  /** Ours: the membership whose role bounds it; null: it opens nothing. */
  member_id: string | null
}

/** Ours: how much of a budget (guesses, mails) a key has used in its window. */
export interface SignInBudgetTable {
  key: string
  used: number
  window_ends_at: string
}

/** Ours: who asked for a code. */
export interface SignInFlowTable {
  id: string
  address_key: string
  network_key: string
  asked_at: string
}

/** Ours: the authenticator app of a person. */
export interface SecondFactorTable {
  user_id: string
  /** Sealed. */
  secret: string
  /** The time step of the last code that was accepted. */
  last_step: number
  created_at: string
}

/** Ours: a secret that was shown to a session and is not confirmed yet. */
export interface SecondFactorSetupTable {
  session_id: string
  /** Sealed. */
  secret: string
  expires_at: string
}

/** Ours: a keyed hash; used ones are gone. */
export interface BackupCodeTable {
  user_id: string
  hash: string
}

/** Ours: a browser that is not asked for the second factor until then. */
export interface TrustedDeviceTable {
  id: string
  user_id: string
  token_hash: string
  user_agent: string | null
  ip_address: string | null
  created_at: string
  last_used_at: string
  expires_at: string
}

/** Ours: one row, id 1. */
export interface InstallationTable {
  id: number
  admin_user_id: string | null
  first_org_user_id: string | null
  created_at: string
}

export interface AuthTables extends SsoTables {
  user: UserTable
  session: SessionTable
  account: AccountTable
  verification: VerificationTable
  organization: OrganizationTable
  team: TeamTable
  teamMember: TeamMemberTable
  member: MemberTable
  invitation: InvitationTable
  apikey: ApiKeyTable
  sign_in_budget: SignInBudgetTable
  sign_in_flow: SignInFlowTable
  second_factor: SecondFactorTable
  second_factor_setup: SecondFactorSetupTable
  backup_code: BackupCodeTable
  trusted_device: TrustedDeviceTable
  installation: InstallationTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends AuthTables {}
}
