import { deletionGraceDays } from '#shared/orgs/ownership.ts'
import type { AllowedPath } from './allowed-routes.ts'
import { arraySchema, type CallFact, object, ref } from './call-fact.ts'

/** Organizations, their members, teams and invitations. */
export const organizationFacts = {
  '/organization/list': {
    access: 'person',
    summary: "The caller's organizations; one that is to be deleted says when in `deletesAt`.",
  },
  '/organization/get-full-organization': {
    access: 'member',
    summary: 'An organization with its members and teams; null: none is active.',
    mayBeNull: true,
  },
  '/organization/get-active-member': {
    access: 'member',
    summary: "The caller's membership in the active organization.",
  },
  '/organization/get-active-member-role': {
    access: 'member',
    summary: "The caller's role, or another member's.",
    reply: object({ role: { type: 'string' } }),
  },
  '/organization/list-members': {
    access: 'member',
    summary: 'The members of an organization.',
    reply: object({ members: arraySchema(ref('Member')), total: { type: 'integer' } }),
  },
  '/organization/list-invitations': {
    access: 'member',
    summary: 'The invitations of an organization; empty for callers who may not invite.',
    reply: arraySchema(ref('Invitation')),
  },
  '/organization/list-user-invitations': { access: 'person', summary: 'Invitations to the address of the caller.' },
  '/organization/get-invitation': { access: 'person', summary: 'An invitation to the address of the caller.' },
  '/organization/list-teams': { access: 'member', summary: 'The teams of an organization.' },
  '/organization/list-user-teams': { access: 'person', summary: "The caller's teams." },
  '/organization/list-team-members': { access: 'member', summary: 'The members of a team.' },
  '/organization/create': { access: 'person', summary: 'Creates an organization with the caller as its owner.' },
  '/organization/update': { access: 'org:update', summary: 'Changes name, slug or logo of an organization.' },
  '/organization/delete': {
    access: 'org:delete',
    summary: `Deletes an organization and all that is in it in ${deletionGraceDays} days, which an owner can undo; answers it with \`deletesAt\`, when it goes.`,
    reply: ref('Organization'),
    mayBeNull: true,
  },
  '/organization/set-active': {
    access: 'person',
    summary: 'Selects the active organization of the session; null: none.',
    mayBeNull: true,
  },
  '/organization/check-slug': {
    access: 'person',
    summary: 'Whether a slug is available.',
    reply: object({ status: { type: 'boolean' } }),
  },
  '/organization/leave': { access: 'member', summary: 'Leaves an organization.', reply: ref('Member') },
  '/organization/has-permission': { access: 'member', summary: 'Whether the caller may do something.' },
  '/organization/invite-member': { access: 'member:manage', summary: 'Mails an invitation.', refuses: [503] },
  '/organization/accept-invitation': {
    access: 'person',
    summary: 'Accepts an invitation to the address of the caller.',
  },
  '/organization/reject-invitation': {
    access: 'person',
    summary: 'Rejects an invitation to the address of the caller.',
  },
  '/organization/cancel-invitation': {
    access: 'member:manage',
    summary: 'Withdraws an invitation.',
    reply: ref('Invitation'),
  },
  '/organization/update-member-role': {
    access: 'member:manage',
    summary: 'Gives a member another role.',
    reply: ref('Member'),
  },
  '/organization/remove-member': { access: 'member:manage', summary: 'Removes a member from an organization.' },
  '/organization/create-team': { access: 'member:manage', summary: 'Creates a team.' },
  '/organization/update-team': { access: 'member:manage', summary: 'Changes a team.' },
  '/organization/remove-team': { access: 'member:manage', summary: 'Removes a team.' },
  '/organization/add-team-member': { access: 'member:manage', summary: 'Adds a member to a team.' },
  '/organization/remove-team-member': { access: 'member:manage', summary: 'Removes a member from a team.' },
  '/organization/set-active-team': {
    access: 'member',
    summary: 'Selects the active team; null: none.',
    mayBeNull: true,
  },
} satisfies Partial<Record<AllowedPath, CallFact>>
