import { callAuth } from '../auth-api.ts'

/** Makes the person a member, and the organization the active one. */
export const acceptInvitation = (invitationId: string) => callAuth('/organization/accept-invitation', { invitationId })
export const rejectInvitation = (invitationId: string) => callAuth('/organization/reject-invitation', { invitationId })
export const cancelInvitation = (invitationId: string) => callAuth('/organization/cancel-invitation', { invitationId })
/** Mails an invitation; one that is open for the same address is replaced. */
export const inviteMember = (organizationId: string, email: string, role: string) =>
  callAuth('/organization/invite-member', { organizationId, email, role })
