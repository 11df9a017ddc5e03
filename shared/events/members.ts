/** What happens to the people of an organization. */
export interface MemberEvents {
  /** Somebody accepted an invitation. */
  'member.joined': { invitationId: string; inviterId: string; name: string; organization: string }
  /** Somebody left or was removed; the conversations they had are nobody's. */
  'member.left': { userId: string }
  /** Somebody asks for a new invitation in place of one that has expired. */
  'invitation.renewalAsked': { invitationId: string; inviterId: string; email: string; organization: string }
}
