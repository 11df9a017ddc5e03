import { type OrgRole, roleCan } from '#shared/kernel/permissions.ts'
import type { Scope } from '#shared/kernel/scope.ts'

export type { Scope } from '#shared/kernel/scope.ts'

/**
 * The scope of principals that see everything, and of background work. `test/helpers/law-exceptions/visibility.ts` lists who may use it.
 */
export const seesAll = { kind: 'all' } as Scope

const sorted = (ids: Iterable<string>) => [...new Set(ids)].sort()

interface Sight {
  readonly tagIds: Iterable<string> | null
  readonly otherTeams?: boolean
  readonly teamIds?: Iterable<string>
  readonly assigneeId: string | null
}

/** The scope of a member with these tags and teams. */
export const seesSome = ({ tagIds, otherTeams = true, teamIds = [], assigneeId }: Sight): Scope =>
  ({
    kind: 'limited',
    tagIds: tagIds === null ? null : sorted(tagIds),
    otherTeams,
    teamIds: sorted(teamIds),
    assigneeId,
  }) as unknown as Scope

/** The limits that an organization sets on who sees its conversations; null: no limits. */
export type Limits = {
  /** Tags by role; null: tags do not limit. */
  readonly tags: ReadonlyMap<string, readonly string[]> | null
  /** True: conversations assigned to a team are visible only to its members. */
  readonly byTeam: boolean
  /** Team ids by person; people without a team are absent. */
  readonly teams: ReadonlyMap<string, readonly string[]>
} | null

/** The member whose scope is meant. For an API key, the member who created it. */
export interface ScopeOwner {
  readonly role: OrgRole
  readonly personId: string
}

/** True for those who manage access: they see everything. */
export const isUnlimited = (role: OrgRole): boolean => roleCan(role, 'member:manage')

export const scopeBy = (limits: Limits, { role, personId }: ScopeOwner): Scope =>
  limits === null || isUnlimited(role)
    ? seesAll
    : seesSome({
        tagIds: limits.tags && (limits.tags.get(role) ?? []),
        otherTeams: !limits.byTeam,
        teamIds: limits.teams.get(personId) ?? [],
        assigneeId: personId,
      })

/** The facts that decide who sees a conversation. */
export interface ConversationFacts {
  readonly tagIds: ReadonlySet<string>
  readonly teamId: string | null
  readonly assigneeId: string | null
}

/** Decides like the SQL condition; undefined: the conversation is gone. */
export const sees = (scope: Scope, facts: ConversationFacts | undefined): boolean => {
  if (scope.kind === 'all') return true
  if (!facts) return false
  const isOwn = scope.assigneeId !== null && facts.assigneeId === scope.assigneeId
  const isOfTeam = facts.teamId !== null && scope.teamIds.includes(facts.teamId)
  const hasTag = scope.tagIds === null || scope.tagIds.some(tag => facts.tagIds.has(tag))
  return isOwn || isOfTeam || (hasTag && (scope.otherTeams || facts.teamId === null))
}

/** A reader: an organization and a scope. */
export interface Viewer {
  readonly orgId: string
  readonly scope: Scope
}
