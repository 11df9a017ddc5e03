/** What happens to an organization itself. */
export interface OrganizationEvents {
  /** Its name, address, picture or settings are not what they were. */
  'organization.changed': Record<string, never>
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends OrganizationEvents {}
}
