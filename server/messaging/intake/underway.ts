import type { Part, Reading } from './reading.ts'
import type { WaitingRow } from './store.ts'

/** A webhook that takes more than one transaction. */
export interface UnderWay {
  readonly row: WaitingRow
  /** Undefined: it is opened when its turn comes, and skips what has been derived. */
  reading?: Reading | undefined
}

/** So many large webhooks lie open in memory; beyond that, one is opened again in each of its turns. */
const mostOpen = 8

/**
 * Large webhooks under way. Organizations take turns, a slice each, so that nobody waits for more than one slice of every
 * other; of one organization the first is worked through before the next. Their lines rest meanwhile, which keeps the
 * order of each conversation.
 */
export function createUnderWay() {
  /** By line, in the order in which they began. */
  const rows = new Map<string, UnderWay>()
  /** The organization of a line, as its last webhook told; a line of which none was read stands for itself. */
  const owners = new Map<string, string>()
  /** Who had a turn, longest ago first. */
  const served = new Set<string>()
  const ownerOf = (line: string) => owners.get(line) ?? line

  return {
    has: (line: string): boolean => rows.has(line),
    lines: (): ReadonlySet<string> => new Set(rows.keys()),
    add(one: UnderWay): void {
      rows.set(one.row.line, one)
    },
    remove({ row }: UnderWay): void {
      rows.delete(row.line)
    },
    /** The first webhook of the organization that has waited longest for its turn. */
    next(): UnderWay | undefined {
      const firsts = new Map<string, UnderWay>()
      for (const [line, one] of rows) if (!firsts.has(ownerOf(line))) firsts.set(ownerOf(line), one)
      for (const owner of served) if (!firsts.has(owner)) served.delete(owner)
      const owner = [...firsts.keys()].find(id => !served.has(id)) ?? [...served][0]
      if (owner === undefined) return undefined
      served.delete(owner)
      served.add(owner)
      return firsts.get(owner)
    },
    /**
     * It was read as far as this part, and is kept open for its next turn as far as there is room; always while it passes over
     * what has been derived, or it would begin there in each of its turns.
     */
    opened(one: UnderWay, { reading, byOrg }: Part): void {
      const [orgId] = byOrg.keys()
      if (orgId !== undefined) owners.set(one.row.line, orgId)
      const open = [...rows.values()].filter(other => other !== one && other.reading).length
      one.reading = open < mostOpen || reading.place <= one.row.place ? reading : undefined
    },
  }
}
