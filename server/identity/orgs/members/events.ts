import type { Availability } from '#shared/inbox/assignment.ts'

interface MemberEvents {
  /** A person accepted an invitation. */
  'member.joined': { invitationId: string; inviterId: string; name: string; organization: string }
  /** A person left or was removed. Emitted after `conversation.assigned` for each of their conversations. */
  'member.left': { userId: string }
  'member.roleChanged': { userId: string }
  /** A member set whether they can be given conversations. */
  'member.availability': Availability
  'team.memberAdded': { teamId: string; userId: string }
  'team.memberRemoved': { teamId: string; userId: string }
  /** A team was removed. Emitted after `conversation.assigned` for each of its conversations. */
  'team.removed': { teamId: string }
  /** A person asked for a new invitation in place of an expired one. */
  'invitation.renewalAsked': { invitationId: string; inviterId: string; email: string; organization: string }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends MemberEvents {}
}
