import type { Generated } from 'kysely'
import type { Language } from '#shared/kernel/language.ts'
import type { ProgramTables } from './programs/table.ts'
import type { SsoTables } from './sso/table.ts'

/**
 * better-auth's tables with its own column names: times as ISO text, flags as 0/1. The library inserts the rows; what
 * its calls cannot do is done in SQL, here and in `orgs/`.
 */
interface UserTable {
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
  /** Null with `banned = 1`: forever. */
  banExpires: string | null
  /** Lower case; null: no password sign-in. */
  username: Generated<string | null>
  /** Appended by the composer to what the person writes; null: none. */
  signature: Generated<string | null>
  /** Ours: the language of the interface when they last used it; null: they have not yet. For mails that they get later. */
  language: Generated<Language | null>
}

interface SessionTable {
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
  /** Ours: the first factor (`code`, `password`, `sso`) while the second is missing; null: the sign-in is complete. */
  halfSignedInBy: Generated<string | null>
  /** Ours: the provider that made the session; null: none, or one that was deleted. */
  ssoProviderId: Generated<string | null>
  /**
   * Ours: the only organization that the session opens, because its provider made it; null: the person signed in
   * themself.
   */
  boundOrgId: Generated<string | null>
}

interface AccountTable {
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

interface VerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: string
  createdAt: string
  updatedAt: string
}

interface OrganizationTable {
  id: string
  name: string
  slug: string
  logo: string | null
  createdAt: string
  /** JSON. */
  metadata: string | null
  /** Hidden since then; its rows are being deleted. */
  deleted_at: Generated<string | null>
}

interface TeamTable {
  id: string
  name: string
  description: Generated<string | null>
  memberCount: number
  organizationId: string
  createdAt: string
  updatedAt: string | null
}

interface TeamMemberTable {
  id: string
  teamId: string
  userId: string
  membershipKey: string | null
  createdAt: string | null
}

interface MemberTable {
  id: string
  organizationId: string
  userId: string
  /** One of `orgRoles`; read it through `effectiveRole`. */
  role: string
  createdAt: string
  /** The person's name, folded, for sorting lists. Maintained by the database. */
  sort_name: Generated<string>
}

interface InvitationTable {
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

/** An API key. `referenceId` is its organization. */
interface ApiKeyTable {
  id: string
  configId: string
  name: string | null
  /** The key's first characters, shown to people. */
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
  /** Ours: the membership whose role limits the key; null: the key is not usable. */
  member_id: string | null
  /** Ours: where the key may be used from, a list as JSON; null: anywhere. */
  networks: string | null
}

/** Ours: how much of a budget has been used in its window. */
interface SignInBudgetTable {
  key: string
  used: number
  window_ends_at: string
}

/** Ours: a browser that requested a code for an address. */
interface SignInFlowTable {
  id: string
  address_key: string
  network_key: string
  asked_at: string
}

/** Ours: a person's authenticator app. */
interface SecondFactorTable {
  user_id: string
  /** Encrypted. */
  secret: string
  /** The time step of the last accepted code. */
  last_step: number
  created_at: string
}

/** Ours: a secret that was shown in a session and is not yet confirmed. */
interface SecondFactorSetupTable {
  session_id: string
  /** Encrypted. */
  secret: string
  expires_at: string
}

/** Ours: keyed hash of an unused code. */
interface BackupCodeTable {
  user_id: string
  hash: string
}

/** Ours: a browser that needs no second factor until `expires_at`. */
interface TrustedDeviceTable {
  id: string
  user_id: string
  token_hash: string
  user_agent: string | null
  ip_address: string | null
  created_at: string
  last_used_at: string
  expires_at: string
}

/** Ours: a single row, with id 1. */
interface InstallationTable {
  id: number
  admin_user_id: string | null
  first_org_user_id: string | null
  created_at: string
}

interface AuthTables extends SsoTables, ProgramTables {
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
