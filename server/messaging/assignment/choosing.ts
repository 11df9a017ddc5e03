import type { AssignmentRule } from '#shared/inbox/assignment.ts'

/** Somebody who could have a conversation now. */
export interface Candidate {
  readonly userId: string
  readonly name: string
  readonly teamIds: ReadonlySet<string>
  /** How many open conversations they have; counted on while some are given out. */
  load: number
}

/** A rule with whom it chose last. */
export interface Turn {
  readonly rule: AssignmentRule
  lastUserId: string | null
}

interface Asked {
  /** Of a team: among its people only. */
  readonly teamId: string | null
  /** Who answered them last. */
  readonly lastWriter: string | undefined
  sees(userId: string): boolean
}

/** The one behind who had it last; whoever has left keeps their place by their id, which grows with time. */
const next = (able: readonly Candidate[], lastUserId: string | null): Candidate | undefined =>
  able.find(({ userId }) => lastUserId !== null && userId > lastUserId) ?? able[0]

/**
 * Who gets a conversation; undefined: nobody can have it. Counts it for them, and remembers whose turn it was.
 * @param candidates those who are there, in the order of their ids
 */
export function choose(candidates: readonly Candidate[], turn: Turn, asked: Asked): Candidate | undefined {
  const { way, most, toLast } = turn.rule
  if (way === 'off') return undefined
  const able = candidates.filter(
    one =>
      (asked.teamId === null || one.teamIds.has(asked.teamId)) &&
      (most === null || one.load < most) &&
      asked.sees(one.userId),
  )
  const known = toLast ? able.find(({ userId }) => userId === asked.lastWriter) : undefined
  const fewest = Math.min(...able.map(({ load }) => load))
  const chosen = known ?? next(way === 'turn' ? able : able.filter(({ load }) => load === fewest), turn.lastUserId)
  if (!chosen) return undefined
  chosen.load += 1
  // Whoever gets it for another reason than their turn still has theirs.
  if (!known) turn.lastUserId = chosen.userId
  return chosen
}
