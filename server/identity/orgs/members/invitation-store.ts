import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { maxOpenInvitations } from '#shared/orgs/invitations.ts'

const maxInvitationsReceived = 50
const maxInvitationsSent = maxOpenInvitations

const cardColumns = [
  'invitation.id',
  'invitation.email',
  'invitation.role',
  'invitation.teamId',
  'invitation.status',
  'invitation.createdAt',
  'invitation.expiresAt',
  'invitation.inviterId',
  'organization.id as orgId',
  'organization.name as orgName',
  'organization.slug as orgSlug',
  'organization.logo as orgLogo',
  'user.name as inviterName',
] as const

/** An invitation with its organization and inviter. */
export interface InvitationCard {
  readonly id: string
  /** Lower case. */
  readonly email: string
  readonly role: string | null
  /** One id, or several separated by commas. */
  readonly teamId: string | null
  readonly status: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly inviterId: string
  readonly orgId: string
  readonly orgName: string
  readonly orgSlug: string
  readonly orgLogo: string | null
  readonly inviterName: string
}

const receivedBy = hotQuery((db, p: { email: string }) =>
  db
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organizationId')
    .innerJoin('user', 'user.id', 'invitation.inviterId')
    .where('invitation.email', '=', p.email)
    .select(cardColumns)
    .orderBy('invitation.createdAt', 'desc')
    .orderBy('invitation.id', 'desc')
    .limit(maxInvitationsReceived),
)

/** Invitations to an address in every status, newest first. */
export const listReceived = (db: Db, email: string): Promise<InvitationCard[]> =>
  receivedBy(db, { email: email.toLowerCase() })

/** The id is the secret in the invitation's link. */
export const findInvitation = (db: Db, id: string): Promise<InvitationCard | undefined> =>
  db
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organizationId')
    .innerJoin('user', 'user.id', 'invitation.inviterId')
    .where('invitation.id', '=', id)
    .select(cardColumns)
    .executeTakeFirst()

/** Team names by id, across organizations. */
export async function teamNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rows = await db.selectFrom('team').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, row.name]))
}

/** Pending invitations, newest first. */
export const listSent = (db: Db, orgId: string) =>
  db
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'createdAt', 'expiresAt'])
    .where('organizationId', '=', orgId)
    .where('status', '=', 'pending')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(maxInvitationsSent)
    .execute()

/** True if the address has a pending invitation that is valid at `now`. */
export async function hasValidInvitation(db: Db, orgId: string, email: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitation')
    .select('id')
    .where('email', '=', email)
    .where('organizationId', '=', orgId)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function isMemberByEmail(db: Db, orgId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('user')
    .innerJoin('member', 'member.userId', 'user.id')
    .select('member.id')
    .where('user.email', '=', email)
    .where('member.organizationId', '=', orgId)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that a new invitation was asked for; false if that happened after `notAfter`. */
export async function recordRenewal(trx: Db, invitationId: string, at: string, notAfter: string): Promise<boolean> {
  const row = await trx
    .insertInto('invitation_renewal')
    .values({ invitation_id: invitationId, asked_at: at })
    .onConflict(conflict =>
      conflict
        .column('invitation_id')
        .doUpdateSet({ asked_at: at })
        .where('invitation_renewal.asked_at', '<=', notAfter),
    )
    .returning('asked_at')
    .executeTakeFirst()
  return row !== undefined
}
