import { refusedListed } from '#shared/imports/limits.ts'
import type { Refusal } from '#shared/imports/states.ts'

/** A line or a file that is not taken. */
export interface RefusedLine {
  readonly line: number
  readonly why: Refusal
  /** Its beginning, or the name of the file. */
  readonly text: string
}

export type RefusedCounts = Readonly<Partial<Record<Refusal, number>>>

/** Counts of what is not taken, in all and by reason. */
export interface RefusedCount {
  readonly count: number
  /** Absent: nothing, or the import is of an earlier version, whose lines are counted. */
  readonly byReason?: RefusedCounts
}

/** The count of rows that are not imported, with the first lines and files. */
export interface Refused extends RefusedCount {
  readonly first: readonly RefusedLine[]
}

const countsOf = (lines: readonly RefusedLine[], before: RefusedCounts = {}): RefusedCounts => {
  const counts: Partial<Record<Refusal, number>> = { ...before }
  for (const { why } of lines) counts[why] = (counts[why] ?? 0) + 1
  return counts
}

export const addRefused = ({ count, first, byReason }: Refused, lines: readonly RefusedLine[]): Refused => ({
  count: count + lines.length,
  first: [...first, ...lines].slice(0, refusedListed),
  byReason: countsOf(lines, byReason ?? countsOf(first)),
})

/** The most frequent reason first. */
export const reasonsOf = ({
  first = [],
  byReason = countsOf(first),
}: RefusedCount & Partial<Refused>): { why: Refusal; count: number }[] =>
  (Object.entries(byReason) as [Refusal, number][])
    .flatMap(([why, count]) => (count ? [{ why, count }] : []))
    .sort((a, b) => b.count - a.count)
