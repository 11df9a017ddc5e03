import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

/** Per organization. */
export const maxOpenInvitations = 500

const invitationStatuses = ['pending', 'accepted', 'rejected', 'canceled', 'expired'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]
const Status = Type.Enum(invitationStatuses)

const InvitingOrg = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  logo: Nullable(Type.String()),
})

/** An invitation as the invited person sees it. */
export const ReceivedInvitation = Type.Object({
  id: Type.String(),
  organization: InvitingOrg,
  inviter: Type.Object({ name: Type.String() }),
  role: Type.String(),
  team: Nullable(Type.String()),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  status: Status,
})
export type ReceivedInvitation = Static<typeof ReceivedInvitation>

/** The part of an invitation that everybody with the link sees. Only the invited person sees inviter and role. */
export const LinkedInvitation = Type.Object({
  id: Type.String(),
  organization: InvitingOrg,
  email: Type.String({ description: 'Masked, `ma•••@example.com`; complete for the invited person.' }),
  status: Status,
  mine: Type.Boolean({ description: 'The caller is signed in with the address that was invited.' }),
  member: Type.Boolean({ description: 'The caller is already a member of the organization.' }),
  details: Nullable(
    Type.Object({
      inviter: Type.String(),
      role: Type.String(),
      team: Nullable(Type.String()),
      expiresAt: Timestamp,
    }),
  ),
})
export type LinkedInvitation = Static<typeof LinkedInvitation>

/** An invitation as members who manage members see it. */
export const SentInvitation = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: Type.String(),
  status: Type.Enum(['pending', 'expired']),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type SentInvitation = Static<typeof SentInvitation>

const InvitationParams = Type.Object(
  { id: Type.String({ pattern: '^[0-9a-z]{24}$' }) },
  { additionalProperties: false },
)

/** Accepting, rejecting, sending and canceling are calls of better-auth: `/api/auth/organization/…-invitation`. */
export const invitationsApi = {
  listReceived: endpoint({
    method: 'GET',
    path: '/verify/invitations',
    access: 'person',
    reply: Type.Object({ items: Type.Array(ReceivedInvitation) }),
    summary: 'Invitations for the address the caller is signed in with, newest first, at most 50.',
  }),
  getLinked: endpoint({
    method: 'GET',
    path: '/verify/invitations/:id',
    access: 'anyone',
    params: InvitationParams,
    reply: Type.Object({ invitation: Nullable(LinkedInvitation) }),
    summary: 'The invitation behind an invitation link; null when there is none with this id.',
  }),
  askAgain: endpoint({
    method: 'POST',
    path: '/verify/invitations/:id/renewal',
    access: 'anyone',
    params: InvitationParams,
    reply: Type.Object({ asked: Type.Boolean() }),
    refuses: [409],
    summary: 'Asks the inviter for a new invitation after this one expired; once a day.',
  }),
  listSent: endpoint({
    method: 'GET',
    path: '/members/invitations',
    access: 'member:manage',
    reply: Type.Object({
      items: Type.Array(SentInvitation),
      hasMailServer: Type.Boolean({ description: 'False: letters are written to files, and nobody gets them.' }),
    }),
    summary: 'Open invitations of the organization, newest first, at most 100.',
  }),
} as const
