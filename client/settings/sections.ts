import { type Capability, effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

/** A card of a settings page that the index links to. */
interface Section<Id extends string = string> {
  /** Id of its heading. */
  readonly id: Id
  /** Its key in the namespace `settings`. */
  readonly title: string
  readonly needs?: Capability
}

/** In the order of the page. */
export const organizationSections = [
  { id: 'details', title: 'details', needs: 'org:update' },
  { id: 'region', title: 'region.title', needs: 'org:update' },
  { id: 'hours', title: 'hours.title', needs: 'org:update' },
  { id: 'assignment', title: 'assignment.title', needs: 'org:update' },
  { id: 'window-template', title: 'windowTemplate.title', needs: 'org:update' },
  { id: 'contact-fields', title: 'fields.title', needs: 'org:update' },
  { id: 'opt-outs', title: 'optOuts.title', needs: 'org:update' },
  { id: 'second-factor', title: 'demand.title', needs: 'security:manage' },
  { id: 'erasures', title: 'erasures.title', needs: 'contact:erase' },
  { id: 'files', title: 'files.title', needs: 'org:update' },
  { id: 'retention', title: 'retention.title', needs: 'org:delete' },
  { id: 'export', title: 'export.title', needs: 'data:export' },
  { id: 'danger', title: 'danger.title', needs: 'org:delete' },
] as const satisfies readonly Section[]
export type OrganizationSection = (typeof organizationSections)[number]['id']

const personSections = {
  profile: [
    { id: 'preferences', title: 'preferences' },
    { id: 'notice-settings', title: 'index.notifications' },
    { id: 'keyboard', title: 'keyboard' },
  ],
  account: [
    { id: 'email', title: 'emailChange.title' },
    { id: 'password', title: 'password.title' },
    { id: 'second-factor', title: 'secondFactor.title' },
    { id: 'sessions', title: 'sessions' },
    { id: 'programs', title: 'index.programs' },
    { id: 'delete', title: 'index.delete' },
  ],
} as const satisfies Record<string, readonly Section[]>

/** Settings pages: those of the organization, and those of the person. */
export const settingsPages = {
  organization: [
    { page: 'organization', sections: organizationSections },
    { page: 'whatsapp', needs: 'connection:read' },
    { page: 'prices', needs: 'org:update' },
    { page: 'tags', needs: 'chat:read' },
    { page: 'answers', needs: 'chat:reply' },
  ],
  person: [
    { page: 'profile', sections: personSections.profile },
    { page: 'account', sections: personSections.account },
  ],
} as const

export type SettingsSection =
  | (typeof organizationSections)[number]
  | (typeof personSections)[keyof typeof personSections][number]

/** Those of pages or sections that a role may open. */
export const allowed = <T extends object>(all: readonly T[], role: string | undefined): T[] =>
  all.filter(one => !('needs' in one) || roleCan(effectiveRole(role), one.needs as Capability))
