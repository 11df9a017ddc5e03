import { callAuth } from '../app/auth-api.ts'

/** Makes the person a member, and the organization the active one. */
export const acceptInvitation = (invitationId: string) => callAuth('/organization/accept-invitation', { invitationId })
export const rejectInvitation = (invitationId: string) => callAuth('/organization/reject-invitation', { invitationId })
