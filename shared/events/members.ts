/** What happens to the people of an organization. */
export interface MemberEvents {
  /** Somebody accepted an invitation. */
  'member.joined': { name: string; invitationId: string; inviterId: string }
  /** Somebody asks for a new invitation in place of one that has expired. */
  'invitation.renewalAsked': { invitationId: string; email: string; inviterId: string }
}
