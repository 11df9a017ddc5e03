import type { OrgRole } from '#shared/kernel/permissions.ts'

/** Stands in an audience for everybody with a role, or for one person while they have it. User ids have no colon. */
export const ofRole = (role: OrgRole, personId?: string): string =>
  personId === undefined ? `role:${role}` : `role:${role}:${personId}`

/** Who may be meant: by an id of their own, or by a role and whose rights they have. */
export interface Listener {
  readonly userId: string
  readonly role: OrgRole
  readonly creatorId?: string | undefined
}

export const isMeant = (audience: readonly string[] | null, { userId, role, creatorId = userId }: Listener): boolean =>
  audience === null || [userId, ofRole(role), ofRole(role, creatorId)].some(entry => audience.includes(entry))
