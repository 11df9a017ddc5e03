import type { OrgRole } from '#shared/kernel/permissions.ts'

/** An audience entry for all members with a role, or for one person while they have it. User ids contain no colon. */
export const ofRole = (role: OrgRole, personId?: string): string =>
  personId === undefined ? `role:${role}` : `role:${role}:${personId}`

/** Matched against an audience by id, or by role and the person whose rights they use. */
interface Listener {
  readonly userId: string
  readonly role: OrgRole
  readonly creatorId?: string | undefined
}

export const isMeant = (audience: readonly string[] | null, { userId, role, creatorId = userId }: Listener): boolean =>
  audience === null || [userId, ofRole(role), ofRole(role, creatorId)].some(entry => audience.includes(entry))
