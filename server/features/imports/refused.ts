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

/** What is not taken: how many of each reason, and the first ones. */
export interface Refused {
  readonly count: number
  readonly first: readonly RefusedLine[]
  /** Absent: the import is of an earlier version. */
  readonly byReason?: RefusedCounts
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
export const reasonsOf = ({ first, byReason = countsOf(first) }: Refused): { why: Refusal; count: number }[] =>
  (Object.entries(byReason) as [Refusal, number][])
    .flatMap(([why, count]) => (count ? [{ why, count }] : []))
    .sort((a, b) => b.count - a.count)
