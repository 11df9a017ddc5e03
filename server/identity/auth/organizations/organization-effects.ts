import type { Person } from '#server/platform/http/actor.ts'

/** Effects of organization calls that better-auth does not know of. */
export interface OrganizationEffects {
  /**
   * Deletes an organization, now or after a grace period; returns it with the time, undefined if it is already gone.
   */
  removeOrganization(orgId: string, by: Person): Promise<object | undefined>
  /** Returns the organizations that are scheduled for deletion, with the time. Absent: there is no grace period. */
  listDeletions?(orgIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Name, address or picture are about to change. @throws to refuse the change */
  onChanging?(orgId: string, change: { slug?: string }): Promise<void>
  /** Called when an organization has changed. An error is logged and undoes nothing. */
  onChanged?(orgId: string, change: { slug?: string }, by: Person): Promise<void>
  /** An invitation was accepted. An error is logged and undoes nothing. */
  onJoined?(invitationId: string, newcomer: string): Promise<void>
  /** A member or team is about to leave, unless something refuses it. Records the work that must follow. */
  onLeaving?(orgId: string, leaver: Leaver): Promise<void>
  /** It has left. An error is logged and undoes nothing. */
  onLeft?(orgId: string, leaver: Leaver, by: Person | null): Promise<void>
  /** A member's role has changed. An error is logged and undoes nothing. */
  onRoleChanged?(orgId: string, userId: string, by: Person | null): Promise<void>
  /** A member joined or left a team. An error is logged and undoes nothing. */
  onTeamMember?(orgId: string, change: TeamMemberChange, by: Person | null): Promise<void>
}

/** A member who leaves or is removed, or a team that is removed. */
interface Leaver {
  readonly kind: 'person' | 'team'
  readonly id: string
}

interface TeamMemberChange {
  readonly teamId: string
  readonly userId: string
  readonly isIn: boolean
}
