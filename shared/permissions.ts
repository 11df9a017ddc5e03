/** Who may do what in an organization, as a table. A role that is not listed has the viewer's rights (grey badge). */
export const orgRoles = ['owner', 'admin', 'member', 'developer', 'viewer', 'billing'] as const
export type OrgRole = (typeof orgRoles)[number]

const grants = {
  'chat:read': ['owner', 'admin', 'member', 'developer', 'viewer'],
  'chat:reply': ['owner', 'admin', 'member'],
  'connection:manage': ['owner', 'admin'],
  'connection:read': ['owner', 'admin', 'developer'],
  'sandbox:use': ['owner', 'admin', 'member', 'developer'],
  'template:edit': ['owner', 'admin', 'developer'],
  'flow:edit': ['owner', 'admin', 'developer'],
  'stats:read': ['owner', 'admin', 'member', 'developer', 'viewer', 'billing'],
  'integration:manage': ['owner', 'admin', 'developer'],
  'member:manage': ['owner', 'admin'],
  'sso:manage': ['owner', 'admin'],
  'org:update': ['owner', 'admin'],
  'org:delete': ['owner'],
} as const satisfies Record<string, readonly OrgRole[]>

export type Capability = keyof typeof grants
export const capabilities = Object.keys(grants) as Capability[]

export const isOrgRole = (role: string): role is OrgRole => (orgRoles as readonly string[]).includes(role)

/** The strongest listed role of a member; better-auth stores several as `admin,member`. */
export const effectiveRole = (stored: string): OrgRole => {
  const roles = stored.split(',').map(role => role.trim().toLowerCase())
  return orgRoles.find(role => roles.includes(role)) ?? 'viewer'
}

export const roleCan = (role: OrgRole, capability: Capability): boolean =>
  (grants[capability] as readonly OrgRole[]).includes(role)

/** Roles that have a capability, strongest first: who a person without it can ask. */
export const rolesWith = (capability: Capability): readonly OrgRole[] => grants[capability]
