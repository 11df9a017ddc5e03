import { type Capability, effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

/** A card of a settings page. */
interface Section<Id extends string = string> {
  /** Id of its heading. */
  readonly id: Id
  /** Its key in the namespace `settings`. */
  readonly title: string
  readonly needs?: Capability
}

/** The pages about the organization itself, and their cards in the order of the page. */
export const organizationPages = [
  { page: 'organization', sections: [{ id: 'region', title: 'region.title', needs: 'org:update' }] },
  {
    page: 'attention',
    needs: 'org:update',
    sections: [
      { id: 'details', title: 'details', needs: 'org:update' },
      { id: 'assignment', title: 'assignment.title', needs: 'org:update' },
      { id: 'window-template', title: 'windowTemplate.title', needs: 'org:update' },
    ],
  },
  { page: 'hours', needs: 'org:update', sections: [{ id: 'hours', title: 'hours.title', needs: 'org:update' }] },
  {
    page: 'contacts',
    needs: 'org:update',
    sections: [
      { id: 'contact-fields', title: 'fields.title', needs: 'org:update' },
      { id: 'opt-outs', title: 'optOuts.title', needs: 'org:update' },
      { id: 'erasures', title: 'erasures.title', needs: 'contact:erase' },
    ],
  },
  {
    page: 'security',
    needs: 'security:manage',
    sections: [{ id: 'second-factor', title: 'demand.title', needs: 'security:manage' }],
  },
  {
    page: 'data',
    needs: 'org:update',
    sections: [
      { id: 'files', title: 'files.title', needs: 'org:update' },
      { id: 'retention', title: 'retention.title', needs: 'org:delete' },
      { id: 'export', title: 'export.title', needs: 'data:export' },
    ],
  },
  { page: 'danger', needs: 'org:delete', sections: [{ id: 'danger', title: 'danger.title', needs: 'org:delete' }] },
] as const satisfies readonly { page: string; needs?: Capability; sections: readonly Section[] }[]
export type OrganizationPage = (typeof organizationPages)[number]
export type OrganizationSection = OrganizationPage['sections'][number]['id']

const [general, attention, hours, contacts, security, data, danger] = organizationPages

/** Settings pages: those of the organization, and those of the person. */
export const settingsPages = {
  organization: [
    general,
    attention,
    hours,
    contacts,
    { page: 'tags', needs: 'chat:read' },
    { page: 'answers', needs: 'chat:reply' },
    { page: 'whatsapp', needs: 'connection:read' },
    { page: 'prices', needs: 'org:update' },
    security,
    data,
    danger,
  ],
  person: [{ page: 'profile' }, { page: 'notifications' }, { page: 'account' }],
} as const

/** The page that has a card which stood on `page` before the pages were split. */
export const pageNow = (page: string | undefined, heading: string) => {
  if (page === 'profile' && heading === 'notice-settings') return 'notifications' as const
  if (page !== undefined && page !== 'organization') return undefined
  const found = organizationPages.find(({ sections }) => sections.some(({ id }) => id === heading))
  return found?.page === 'organization' ? undefined : found?.page
}

/** Returns the pages or sections that a role may open. */
export const allowed = <T extends object>(all: readonly T[], role: string | undefined): T[] =>
  all.filter(one => !('needs' in one) || roleCan(effectiveRole(role), one.needs as Capability))
