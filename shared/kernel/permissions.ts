/** Who may do what in an organization, as a table. A role that is not listed has the viewer's rights (grey badge). */
export const orgRoles = ['owner', 'admin', 'member', 'developer', 'viewer', 'billing'] as const
export type OrgRole = (typeof orgRoles)[number]

const grants = {
  'chat:read': ['owner', 'admin', 'member', 'developer', 'viewer'],
  'chat:reply': ['owner', 'admin', 'member'],
  'bulk:send': ['owner', 'admin', 'member'],
  'connection:manage': ['owner', 'admin', 'developer'],
  'connection:read': ['owner', 'admin', 'developer'],
  'sandbox:use': ['owner', 'admin', 'member', 'developer'],
  'template:edit': ['owner', 'admin', 'developer'],
  'template:file': ['owner', 'admin', 'member', 'developer'],
  'flow:edit': ['owner', 'admin', 'developer'],
  // The page; what is on it goes by the two below.
  'stats:open': ['owner', 'admin', 'member', 'developer', 'viewer', 'billing'],
  'stats:read': ['owner', 'admin', 'member', 'developer', 'viewer'],
  'cost:read': ['owner', 'admin', 'billing'],
  'integration:manage': ['owner', 'admin', 'developer'],
  'member:manage': ['owner', 'admin'],
  'sso:manage': ['owner', 'admin'],
  'contact:erase': ['owner', 'admin'],
  'data:export': ['owner', 'admin'],
  'org:update': ['owner', 'admin'],
  'audit:read': ['owner', 'admin'],
  'security:manage': ['owner'],
  'org:delete': ['owner'],
} as const satisfies Record<string, readonly OrgRole[]>

export type Capability = keyof typeof grants

export const capabilities = Object.keys(grants) as Capability[]

/** Nobody is given these by themselves: they come with any of the others. */
const comesWith: { readonly [K in Capability]?: readonly Capability[] } = {
  'template:file': ['template:edit', 'flow:edit', 'chat:reply', 'bulk:send'],
}
/** What a key can be bounded by. */
export const givenCapabilities: readonly Capability[] = capabilities.filter(one => !comesWith[one])
/** Whether one of these is asked for, or brings along what is. */
export const covers = (held: readonly Capability[], asked: Capability): boolean =>
  [asked, ...(comesWith[asked] ?? [])].some(one => held.includes(one))
/** What has to be given for it. */
export const givenFor = (asked: Capability): Capability => comesWith[asked]?.[0] ?? asked

/** The one parser of roles: exactly one of them, letter by letter; no list, no space around it. */
export const isOrgRole = (role: unknown): role is OrgRole => (orgRoles as readonly unknown[]).includes(role)

/** The role that counts for what is stored or was answered: anything that is not one is a viewer's. */
export const effectiveRole = (stored: unknown): OrgRole => (isOrgRole(stored) ? stored : 'viewer')

export const roleCan = (role: OrgRole, capability: Capability): boolean =>
  (grants[capability] as readonly OrgRole[]).includes(role)

/** Roles that have a capability, strongest first: who a person without it can ask. */
export const rolesWith = (capability: Capability): readonly OrgRole[] => grants[capability]
