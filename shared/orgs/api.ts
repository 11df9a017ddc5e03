import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

export const slugPattern = '^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$'
export const orgNameMin = 2
export const orgNameMax = 60

/** Slugs that are paths of the product, or could imitate it. */
export const reservedSlugs = new Set([
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'c',
  'company-creation',
  'docs',
  'flow',
  'healthz',
  'help',
  'integrations',
  'invitation',
  'locales',
  'login',
  'logout',
  'masive',
  'new',
  'org',
  'organizations',
  'readyz',
  'recado',
  'root',
  'sandbox',
  'settings',
  'simulator',
  'static',
  'stats',
  'status',
  'support',
  'system',
  'template',
  'unauthorized',
  'webhooks',
  'whatsapp',
  'www',
])

/** `Panadería Don Luis` becomes `panaderia-don-luis`; empty if no character is allowed. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')

export const OrgSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  logo: Nullable(Type.String()),
  role: Type.String(),
  deletesAt: Type.Optional(
    Type.String({
      description:
        'ISO 8601 UTC; when the organization is deleted, as an owner requested; until then an owner can undo it.',
    }),
  ),
  ssoMissing: Type.Optional(
    Type.Boolean({
      description: 'The organization requires single sign-on, which the caller has not used: the caller has no access.',
    }),
  ),
  secondFactorDemanded: Type.Optional(
    Type.Boolean({
      description:
        'The organization requires a second factor, which the caller has not set up: the caller has no access.',
    }),
  ),
})
export type OrgSummary = Static<typeof OrgSummary>

/** The signed-in person, their organizations and, inside one, their role. */
export const Viewer = Type.Object({
  user: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    image: Nullable(Type.String()),
    signature: Type.String({ description: 'Signature below messages of the person; empty: none.' }),
    role: Type.String(),
  }),
  organizations: Type.Array(OrgSummary),
  active: Nullable(OrgSummary),
  isBound: Type.Optional(
    Type.Boolean({
      description:
        "The session was created through an organization's SSO provider and is limited to that organization; others are not listed.",
    }),
  ),
})
export type Viewer = Static<typeof Viewer>

/** Larger counts are shown as more. */
export const maxUnreadCounted = 999

/** One of the viewer's organizations, for choosing one. */
export const OrgListed = Type.Object({
  ...OrgSummary.properties,
  unread: Type.Integer({
    minimum: 0,
    description: `Unread messages of the inbox; ${maxUnreadCounted + 1}: more. 0 for roles that do not read chats.`,
  }),
  lastActivityAt: Nullable(Timestamp),
})
export type OrgListed = Static<typeof OrgListed>

export const orgsApi = {
  /** Called by the route guard; 401 if nobody is signed in. */
  getViewer: endpoint({
    method: 'GET',
    path: '/viewer',
    access: 'person',
    reply: Viewer,
    summary: 'The signed-in person and their organizations.',
  }),
  listOrganizations: endpoint({
    method: 'GET',
    path: '/organizations',
    access: 'person',
    reply: Type.Object({ items: Type.Array(OrgListed) }),
    summary: 'The organizations of the caller by name, with the number of unread messages in each, at most 200.',
  }),
  /** The current slug for a former one. */
  findRenamed: endpoint({
    method: 'GET',
    path: '/organizations/former/:slug',
    access: 'person',
    params: Type.Object({ slug: Type.String({ minLength: 1, maxLength: 60 }) }, { additionalProperties: false }),
    reply: Type.Object({ slug: Nullable(Type.String()) }),
    summary: 'The current slug of an organization of the caller that once had the given slug; null: none had it.',
  }),
  /** If the slug is not available, `reason` says why. */
  checkSlug: endpoint({
    method: 'GET',
    path: '/organizations/slug/:slug',
    access: 'person',
    params: Type.Object({ slug: Type.String({ minLength: 1, maxLength: 60 }) }, { additionalProperties: false }),
    reply: Type.Object({ available: Type.Boolean(), reason: Nullable(Type.Enum(['invalid', 'reserved', 'taken'])) }),
    summary: 'Whether a slug is available for a new organization.',
  }),
} as const
