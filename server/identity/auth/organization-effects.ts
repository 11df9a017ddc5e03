import type { Person } from '#server/platform/http/actor.ts'

/** What the product does of an organization that better-auth does not know of. */
export interface OrganizationEffects {
  /** Deletes an organization, now or after some days of grace; answers it with when, undefined when it is gone already. */
  removeOrganization(orgId: string, by: Person): Promise<object | undefined>
  /** Of these organizations those that are to be deleted, each with when. Absent: deleted ones are gone at once. */
  listDeletions?(orgIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Name, address or picture are about to change. @throws what speaks against it */
  onChanging?(orgId: string, change: { slug?: string }): Promise<void>
  /** They have changed; what fails in it is logged and undoes nothing. */
  onChanged?(orgId: string, change: { slug?: string }, by: Person): Promise<void>
  /** Somebody has accepted an invitation; what fails in it is logged and undoes nothing. */
  onJoined?(invitationId: string, newcomer: string): Promise<void>
  /** Somebody is about to leave, if nothing refuses it: what must follow is written down before. */
  onLeaving?(orgId: string, leaver: Leaver): Promise<void>
  /** They are gone; what fails in it is logged and undoes nothing. */
  onLeft?(orgId: string, leaver: Leaver, by: Person | null): Promise<void>
  /** Somebody has another role; what fails in it is logged and undoes nothing. */
  onRoleChanged?(orgId: string, userId: string, by: Person | null): Promise<void>
  /** Somebody is in a team, or no more; what fails in it is logged and undoes nothing. */
  onTeamMember?(orgId: string, change: TeamMemberChange, by: Person | null): Promise<void>
}

/** A member who leaves or is removed; a team that is removed. */
export interface Leaver {
  readonly kind: 'person' | 'team'
  readonly id: string
}

export interface TeamMemberChange {
  readonly teamId: string
  readonly userId: string
  readonly isIn: boolean
}
