import type { AssignmentRule } from '#shared/inbox/assignment.ts'

/** A member who could get a conversation now. */
export interface Candidate {
  readonly userId: string
  readonly name: string
  readonly teamIds: ReadonlySet<string>
  /** Number of open conversations. Incremented when one is assigned. */
  load: number
}

/** A rule with the member it chose last. */
export interface RuleState {
  readonly rule: AssignmentRule
  lastUserId: string | null
}

interface ChoiceFacts {
  /** Only members of this team are candidates. Null: all members. */
  readonly teamId: string | null
  /** The member who wrote last to the customer. */
  readonly lastWriter: string | undefined
  sees(userId: string): boolean
}

/** The member after the last one, by id. Ids grow with time, so a member who left keeps their place. */
const next = (able: readonly Candidate[], lastUserId: string | null): Candidate | undefined =>
  able.find(({ userId }) => lastUserId !== null && userId > lastUserId) ?? able[0]

/**
 * Chooses a member and increments their load. Undefined: nobody can get it. @param candidates available members, by id
 */
export function choose(candidates: readonly Candidate[], state: RuleState, asked: ChoiceFacts): Candidate | undefined {
  const { way, most, toLast } = state.rule
  if (way === 'off') return undefined
  const able = candidates.filter(
    one =>
      (asked.teamId === null || one.teamIds.has(asked.teamId)) &&
      (most === null || one.load < most) &&
      asked.sees(one.userId),
  )
  const known = toLast ? able.find(({ userId }) => userId === asked.lastWriter) : undefined
  const fewest = Math.min(...able.map(({ load }) => load))
  const chosen = known ?? next(way === 'turn' ? able : able.filter(({ load }) => load === fewest), state.lastUserId)
  if (!chosen) return undefined
  chosen.load += 1
  // Members chosen for another reason keep their turn.
  if (!known) state.lastUserId = chosen.userId
  return chosen
}
