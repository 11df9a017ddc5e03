import { createAccessControl } from 'better-auth/plugins/access'
import { type OrgRole, orgRoles, roleCan } from '#shared/kernel/permissions.ts'

const orgAccess = createAccessControl({
  organization: ['update', 'delete'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  team: ['create', 'update', 'delete'],
  apiKey: ['create', 'read', 'update', 'delete'],
} as const)

/** Our permissions in better-auth's terms. `shared/kernel/permissions.ts` remains the only place that decides. */
const orgRole = (role: OrgRole) => {
  const manages = roleCan(role, 'member:manage')
  return orgAccess.newRole({
    organization: [
      ...(roleCan(role, 'org:update') ? (['update'] as const) : []),
      ...(roleCan(role, 'org:delete') ? (['delete'] as const) : []),
    ],
    member: manages ? ['create', 'update', 'delete'] : [],
    invitation: manages ? ['create', 'cancel'] : [],
    team: manages ? ['create', 'update', 'delete'] : [],
    apiKey: roleCan(role, 'integration:manage') ? ['create', 'read', 'update', 'delete'] : [],
  })
}

/** Options of the organization plugin. */
export const organizationRoles = {
  ac: orgAccess,
  roles: Object.fromEntries(orgRoles.map(role => [role, orgRole(role)])) as Record<OrgRole, ReturnType<typeof orgRole>>,
}

const siteRoleNames = ['admin', 'user'] as const
type SiteRole = (typeof siteRoleNames)[number]

export const isSiteRole = (role: unknown): role is SiteRole => (siteRoleNames as readonly unknown[]).includes(role)

const siteAccess = createAccessControl({
  user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'],
  session: ['list', 'revoke', 'delete'],
} as const)

/** Options of the admin plugin. */
export const siteRoles = {
  ac: siteAccess,
  roles: {
    admin: siteAccess.newRole({
      user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'],
      session: ['list', 'revoke', 'delete'],
    }),
    user: siteAccess.newRole({ user: [], session: [] }),
  },
}
