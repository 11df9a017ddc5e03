/**
 * The permission table: which roles have which capability in an organization. An unknown role has the viewer's rights
 * (grey badge).
 */
export const orgRoles = ['owner', 'admin', 'member', 'developer', 'viewer', 'billing'] as const
export type OrgRole = (typeof orgRoles)[number]

const grants = {
  'chat:read': ['owner', 'admin', 'member', 'developer', 'viewer'],
  'chat:reply': ['owner', 'admin', 'member'],
  'note:write': ['owner', 'admin', 'member'],
  'bulk:send': ['owner', 'admin', 'member'],
  'connection:manage': ['owner', 'admin', 'developer'],
  'connection:read': ['owner', 'admin', 'developer'],
  'sandbox:use': ['owner', 'admin', 'member', 'developer'],
  'template:edit': ['owner', 'admin', 'developer'],
  'template:file': ['owner', 'admin', 'member', 'developer'],
  'flow:edit': ['owner', 'admin', 'developer'],
  // Opens the page; its contents require the next two.
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

/** Implied by any of the others. */
const comesWith: { readonly [K in Capability]?: readonly Capability[] } = {
  'template:file': ['template:edit', 'flow:edit', 'chat:reply', 'bulk:send'],
  'note:write': ['chat:reply'],
}
const onlyImplied: Capability = 'template:file'
/** Capabilities that a key can be limited to. */
export const givenCapabilities: readonly Capability[] = capabilities.filter(one => one !== onlyImplied)
/** The asked capability may also be implied by one that is held. */
export const covers = (held: readonly Capability[], asked: Capability): boolean =>
  [asked, ...(comesWith[asked] ?? [])].some(one => held.includes(one))
/** The capability to grant for it. */
export const givenFor = (asked: Capability): Capability =>
  asked === onlyImplied ? (comesWith[asked]?.[0] ?? asked) : asked

/** Parses a role strictly: exact text, no lists, no spaces. */
export const isOrgRole = (role: unknown): role is OrgRole => (orgRoles as readonly unknown[]).includes(role)

/** The role that applies to a stored or received value; anything else counts as viewer. */
export const effectiveRole = (stored: unknown): OrgRole => (isOrgRole(stored) ? stored : 'viewer')

export const roleCan = (role: OrgRole, capability: Capability): boolean =>
  (grants[capability] as readonly OrgRole[]).includes(role)

/** Roles with a capability, strongest first: whom a person without it can ask. */
export const rolesWith = (capability: Capability): readonly OrgRole[] => grants[capability]
