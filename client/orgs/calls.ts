import { callAuth } from '#client/app/calls/auth-api.ts'

/** Makes the person a member, and activates the organization. */
export const acceptInvitation = (invitationId: string) => callAuth('/organization/accept-invitation', { invitationId })
export const rejectInvitation = (invitationId: string) => callAuth('/organization/reject-invitation', { invitationId })
