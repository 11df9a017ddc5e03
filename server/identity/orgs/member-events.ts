import type { Availability } from '#shared/inbox/assignment.ts'

/** What happens to the people of an organization. */
export interface MemberEvents {
  /** Somebody accepted an invitation. */
  'member.joined': { invitationId: string; inviterId: string; name: string; organization: string }
  /** Somebody left or was removed, and no conversation is theirs any more: after `conversation.assigned` for each. */
  'member.left': { userId: string }
  /** Somebody has another role now. */
  'member.roleChanged': { userId: string }
  /** Somebody said whether they are there to have conversations. */
  'member.availability': Availability
  'team.memberAdded': { teamId: string; userId: string }
  'team.memberRemoved': { teamId: string; userId: string }
  /** A team is no more, and no conversation is assigned to it: after `conversation.assigned` for each. */
  'team.removed': { teamId: string }
  /** Somebody asks for a new invitation in place of one that has expired. */
  'invitation.renewalAsked': { invitationId: string; inviterId: string; email: string; organization: string }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends MemberEvents {}
}
