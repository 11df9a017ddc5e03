import type { OrgRole } from '#shared/kernel/permissions.ts'

export interface VisibilityEvents {
  /** A role was granted the content of a tag, or lost it. */
  'contentAccess.changed': { role: OrgRole; tagId: string; granted: boolean }
  /** What limits conversations from now on: tags of roles, teams, both or nothing. */
  'contentAccess.applied': { conversations: boolean; teams: boolean }
  /** What these people see of the conversations changed. Emitted once, beside the events that say why. */
  'visibility.changed': { userIds: readonly string[] }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends VisibilityEvents {}
}
