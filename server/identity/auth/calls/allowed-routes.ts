/**
 * The paths of better-auth that are reachable; every other one answers 404. The library mounts about eighty, such as
 * sign-up with a password, password reset, account linking and listings that print session tokens. A new version must
 * not open one by itself.
 */
const routes = {
  GET: [
    '/get-session',
    '/organization/list',
    '/organization/get-full-organization',
    '/organization/get-active-member',
    '/organization/get-active-member-role',
    '/organization/list-members',
    '/organization/list-invitations',
    '/organization/list-user-invitations',
    '/organization/get-invitation',
    '/organization/list-teams',
    '/organization/list-user-teams',
    '/organization/list-team-members',
    '/api-key/list',
    '/sso/providers',
    '/sso/callback/:providerId',
    '/admin/list-users',
  ],
  POST: [
    '/email-otp/send-verification-otp',
    '/sign-in/email-otp',
    '/sign-in/username',
    '/sign-in/sso',
    '/sign-out',
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
    '/organization/create',
    '/organization/update',
    '/organization/delete',
    '/organization/set-active',
    '/organization/check-slug',
    '/organization/leave',
    '/organization/has-permission',
    '/organization/invite-member',
    '/organization/accept-invitation',
    '/organization/reject-invitation',
    '/organization/cancel-invitation',
    '/organization/update-member-role',
    '/organization/remove-member',
    '/organization/create-team',
    '/organization/update-team',
    '/organization/remove-team',
    '/organization/add-team-member',
    '/organization/remove-team-member',
    '/organization/set-active-team',
    '/api-key/create',
    '/api-key/delete',
    '/api-key/delete-all-expired-api-keys',
    '/sso/register',
    '/sso/update-provider',
    '/sso/verify-domain',
    '/sso/delete-provider',
    '/admin/create-user',
    '/admin/set-role',
    '/admin/ban-user',
    '/admin/unban-user',
    '/admin/remove-user',
    '/admin/impersonate-user',
    '/admin/stop-impersonating',
    '/admin/revoke-user-sessions',
    '/admin/revoke-user-session',
    '/admin/list-user-sessions',
    '/admin/set-user-password',
    '/admin/has-permission',
  ],
} as const

export type AllowedPath = (typeof routes)[keyof typeof routes][number]

const byMethod: Readonly<Record<string, ReadonlySet<string>>> = { GET: new Set(routes.GET), POST: new Set(routes.POST) }

/** The routes, for the test that calls each of them and for the list of routes. */
export const listAllowedRoutes = (): { method: string; path: AllowedPath }[] =>
  Object.entries(routes).flatMap(([method, paths]) => paths.map(path => ({ method, path })))

const callback = /^\/sso\/callback\/([\w-]{1,64})$/

/**
 * @param path what follows `/api/auth` in the address, not decoded
 * @returns with `parameter`, the value of the path's parameter; empty if it has none
 */
export const findAllowedPath = (
  method: string,
  path: string,
): { readonly path: AllowedPath; readonly parameter: string } | undefined => {
  if (byMethod[method]?.has(path)) return { path: path as AllowedPath, parameter: '' }
  const parameter = method === 'GET' ? callback.exec(path)?.[1] : undefined
  return parameter === undefined ? undefined : { path: '/sso/callback/:providerId', parameter }
}
