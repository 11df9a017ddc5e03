interface OrganizationEvents {
  /** Name, slug, picture or settings changed. */
  'organization.changed': Record<string, never>
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends OrganizationEvents {}
}
