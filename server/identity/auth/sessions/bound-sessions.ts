import type { Db } from '#server/platform/db/database.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import type { AllowedPath } from '../calls/allowed-routes.ts'
import { belongsElsewhere } from '../organizations/membership-store.ts'

/**
 * The calls that are allowed in a session made by an identity provider. Its calls about organizations are limited to
 * its own by `requireOrganizationDemands`. Other paths require the person's own sign-in.
 */
const allowedWhenBound: ReadonlySet<AllowedPath> = new Set<AllowedPath>([
  '/get-session',
  '/sign-out',
  '/email-otp/send-verification-otp',
  '/sign-in/email-otp',
  '/sign-in/username',
  '/sign-in/sso',
  '/sso/callback/:providerId',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/two-factor/send-otp',
  '/two-factor/verify-totp',
  '/two-factor/verify-otp',
  '/two-factor/verify-backup-code',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/update-user',
  '/delete-user',
  '/organization/list',
  '/organization/get-full-organization',
  '/organization/get-active-member',
  '/organization/get-active-member-role',
  '/organization/list-members',
  '/organization/list-invitations',
  '/organization/list-teams',
  '/organization/list-team-members',
  '/organization/update',
  '/organization/delete',
  '/organization/set-active',
  '/organization/check-slug',
  '/organization/leave',
  '/organization/has-permission',
  '/organization/invite-member',
  '/organization/cancel-invitation',
  '/organization/update-member-role',
  '/organization/remove-member',
  '/organization/create-team',
  '/organization/update-team',
  '/organization/remove-team',
  '/organization/add-team-member',
  '/organization/remove-team-member',
  '/organization/set-active-team',
  '/api-key/list',
  '/api-key/create',
  '/api-key/delete',
  '/api-key/delete-all-expired-api-keys',
  '/sso/providers',
  '/sso/register',
  '/sso/update-provider',
  '/sso/verify-domain',
  '/sso/delete-provider',
])

/** @throws APP_OWN_SIGN_IN_REQUIRED if a provider's session may not call this path */
export const requireAllowedWhenBound = (person: Person | null, path: AllowedPath): void => {
  if (person?.boundOrgId !== undefined && !allowedWhenBound.has(path)) throw appErrors.OWN_SIGN_IN_REQUIRED()
}

/** A provider's session may change the account itself only if the person belongs to no other organization. */
export const isOwnAccount = async (db: Db, { userId, boundOrgId }: Person): Promise<boolean> =>
  boundOrgId === undefined || !(await belongsElsewhere(db, userId, boundOrgId))

/**
 * An identity provider must not change what other organizations see of a person: name, picture, account.
 * @throws APP_OWN_SIGN_IN_REQUIRED
 */
export async function requireOwnAccount(db: Db, person: Person): Promise<void> {
  if (!(await isOwnAccount(db, person))) throw appErrors.OWN_SIGN_IN_REQUIRED()
}
