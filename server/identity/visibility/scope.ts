import { type OrgRole, roleCan } from '#shared/kernel/permissions.ts'
import type { Scope } from '#shared/kernel/scope.ts'

export type { Scope } from '#shared/kernel/scope.ts'

/** For principals that see everything, and for the product's own work. Who may use it stands in `test/helpers/permits.ts`. */
export const seesAll = { kind: 'all' } as Scope

const sorted = (ids: Iterable<string>) => [...new Set(ids)].sort()

interface Sight {
  readonly tagIds: Iterable<string> | null
  readonly otherTeams?: boolean
  readonly teamIds?: Iterable<string>
  readonly assigneeId: string | null
}

/** What somebody sees who has been granted these tags and is in these teams. */
export const seesSome = ({ tagIds, otherTeams = true, teamIds = [], assigneeId }: Sight): Scope =>
  ({
    kind: 'limited',
    tagIds: tagIds === null ? null : sorted(tagIds),
    otherTeams,
    teamIds: sorted(teamIds),
    assigneeId,
  }) as unknown as Scope

/** How an organization limits its conversations; null: it does not. */
export type Limits = {
  /** The tags of each role, where tags limit; null: they do not. */
  readonly tags: ReadonlyMap<string, readonly string[]> | null
  /** Whether what is assigned to a team is for its people only. */
  readonly byTeam: boolean
  /** The teams of each person; whoever is in none is absent. */
  readonly teams: ReadonlyMap<string, readonly string[]>
} | null

/** Whose sight it is: a person's, or of a key the person's who made it. */
export interface Looker {
  readonly role: OrgRole
  readonly personId: string
}

/** Whoever decides about access has it. */
export const isUnlimited = (role: OrgRole): boolean => roleCan(role, 'member:manage')

export const scopeBy = (limits: Limits, { role, personId }: Looker): Scope =>
  limits === null || isUnlimited(role)
    ? seesAll
    : seesSome({
        tagIds: limits.tags && (limits.tags.get(role) ?? []),
        otherTeams: !limits.byTeam,
        teamIds: limits.teams.get(personId) ?? [],
        assigneeId: personId,
      })

/** What decides who sees a conversation. */
export interface ConversationFacts {
  readonly tagIds: ReadonlySet<string>
  readonly teamId: string | null
  readonly assigneeId: string | null
}

/** The same verdict as the condition in SQL; undefined: a conversation that is gone. */
export const sees = (scope: Scope, facts: ConversationFacts | undefined): boolean => {
  if (scope.kind === 'all') return true
  if (!facts) return false
  const isOwn = scope.assigneeId !== null && facts.assigneeId === scope.assigneeId
  const isOfTeam = facts.teamId !== null && scope.teamIds.includes(facts.teamId)
  const hasTag = scope.tagIds === null || scope.tagIds.some(tag => facts.tagIds.has(tag))
  return isOwn || isOfTeam || (hasTag && (scope.otherTeams || facts.teamId === null))
}

/** Who looks at what an organization has; every principal in one is a viewer of it. */
export interface Viewer {
  readonly orgId: string
  readonly scope: Scope
}
