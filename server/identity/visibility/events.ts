import type { OrgRole } from '#shared/kernel/permissions.ts'

interface VisibilityEvents {
  /** A role was granted the content of a tag, or lost it. */
  'contentAccess.changed': { role: OrgRole; tagId: string; granted: boolean }
  /** The limits on conversations from now on: tags of roles, teams, both or neither. */
  'contentAccess.applied': { conversations: boolean; teams: boolean }
  /** The conversations that these people see have changed. Emitted once, besides the events that say why. */
  'visibility.changed': { userIds: readonly string[] }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends VisibilityEvents {}
}
