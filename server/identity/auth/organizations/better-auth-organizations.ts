import type { OrganizationOptions } from 'better-auth/plugins/organization'
import type { Person } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { keptOrg, requireOpen, requireOrgRole } from '../better-auth-rules.ts'
import type { OrganizationEffects } from './organization-effects.ts'

export interface OrganizationHookParts extends Pick<OrganizationEffects, 'onLeaving' | 'onLeft' | 'onTeamMember'> {
  readonly log: Log
  /** The person who makes the current call. */
  currentPerson(): Person | null
  /** Just before a person loses access to an organization: their streams must end before the reply. */
  onAccessEnding?(orgId: string, userId: string): void
}

const membershipIn = ({ teamId, userId }: { teamId: string; userId: string }) => ({ teamId, userId })

/** Checks and side effects that we add to the library's organizations, members, teams and invitations. */
export function organizationHooks(parts: OrganizationHookParts): NonNullable<OrganizationOptions['organizationHooks']> {
  const { log, currentPerson } = parts

  /** The library has already committed: a failing effect is logged and undoes nothing. */
  const follow = async (effect: (by: Person | null) => Promise<void> | undefined) => {
    try {
      await effect(currentPerson())
    } catch (error) {
      log.error({ err: errorFacts(error) }, 'announcing a team change failed')
    }
  }

  return {
    async beforeCreateOrganization({ organization: org }) {
      return { data: keptOrg(org) }
    },
    async beforeUpdateOrganization({ organization: org }) {
      return { data: keptOrg(org) }
    },
    async beforeCreateInvitation({ invitation }) {
      requireOrgRole(invitation.role)
    },
    async beforeUpdateMemberRole({ member, newRole }) {
      requireOrgRole(newRole)
      if (!roleCan(effectiveRole(newRole), 'chat:read')) parts.onAccessEnding?.(member.organizationId, member.userId)
    },
    async beforeRemoveMember({ member }) {
      parts.onAccessEnding?.(member.organizationId, member.userId)
      await parts.onLeaving?.(member.organizationId, { kind: 'person', id: member.userId })
    },
    async beforeDeleteTeam({ team, organization: org }) {
      await parts.onLeaving?.(org.id, { kind: 'team', id: team.id })
    },
    afterDeleteTeam: ({ team, organization: org }) =>
      follow(by => parts.onLeft?.(org.id, { kind: 'team', id: team.id }, by)),
    afterAddTeamMember: ({ teamMember, organization: org }) =>
      follow(by => parts.onTeamMember?.(org.id, { ...membershipIn(teamMember), isIn: true }, by)),
    afterRemoveTeamMember: ({ teamMember, organization: org }) =>
      follow(by => parts.onTeamMember?.(org.id, { ...membershipIn(teamMember), isIn: false }, by)),
    async beforeAddMember({ member }) {
      requireOrgRole(member.role)
    },
    // The library checks the status only on acceptance; here an invitation that was already answered is refused.
    async beforeRejectInvitation({ invitation }) {
      requireOpen(invitation)
    },
    async beforeCancelInvitation({ invitation }) {
      requireOpen(invitation)
    },
  }
}
