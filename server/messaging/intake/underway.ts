import type { Part, Reading } from './row-reader.ts'
import type { WaitingRow } from './store.ts'

/** A webhook that takes several transactions. */
export interface UnderWay {
  readonly row: WaitingRow
  /** Undefined: it is opened when it is next, and skips what has been applied. */
  reading?: Reading | undefined
}

/** Limit of large webhooks kept open in memory. Others are opened again for each of their slices. */
const maxOpen = 8

/**
 * Large webhooks that are being applied. Organizations take turns, one slice each, so that nobody waits for more than a
 * slice of every other organization. Of one organization they are applied one after another. Their lines pause
 * meanwhile, which keeps the order within each conversation.
 */
export function createUnderWay() {
  /** The rows of each line, in the order they began. */
  const rows = new Map<string, UnderWay>()
  /** The organization of a line according to its last webhook. A line without one counts as its own organization. */
  const owners = new Map<string, string>()
  /** Organizations that had a turn, longest ago first. */
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
    /** The first webhook of the organization that has waited longest for a turn. */
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
     * Keeps the reading open for the next slice if there is room. Always while it skips what was applied, otherwise it
     * would start over in each slice.
     */
    opened(one: UnderWay, { reading, byOrg }: Part): void {
      const [orgId] = byOrg.keys()
      if (orgId !== undefined) owners.set(one.row.line, orgId)
      const open = [...rows.values()].filter(other => other !== one && other.reading).length
      one.reading = open < maxOpen || reading.place <= one.row.place ? reading : undefined
    },
  }
}
