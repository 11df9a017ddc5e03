import { fewCases } from '#shared/stats/definitions.ts'
import { type GroupAnswer, type Look, maxLooks, type StatsSummary } from '#shared/stats/summary.ts'

interface Facts extends Pick<StatsSummary, 'promiseMs' | 'unanswered' | 'tags' | 'teams'> {
  /** Unattended for longer than promised, and for how long the first of them waits. */
  readonly late: { readonly count: number; readonly href: string; readonly oldestMs: number | null }
}

/** The group with the slowest median that is later than promised. */
const slowest = (groups: readonly GroupAnswer[], promiseMs: number): GroupAnswer | undefined =>
  groups
    .filter(
      ({ id, firstResponse: { count, medianMs } }) => id !== null && count >= fewCases && (medianMs ?? 0) > promiseMs,
    )
    .toSorted((a, b) => (b.firstResponse.medianMs ?? 0) - (a.firstResponse.medianMs ?? 0))[0]

/** What to look at first: who waits longer than promised, who was left without an answer, and where answers are slow. */
export function looksOf({ promiseMs, unanswered, tags, teams, late }: Facts): Look[] {
  const looks: Look[] = []
  if (late.count) looks.push({ kind: 'waiting', count: late.count, ms: late.oldestMs, name: null, href: late.href })
  if (unanswered.count) looks.push({ kind: 'unanswered', ...unanswered, ms: null, name: null })
  for (const [kind, groups] of [['slowTag', tags] as const, ['slowTeam', teams] as const]) {
    const found = slowest(groups, promiseMs)
    if (!found) continue
    const { answered, firstResponse, name } = found
    looks.push({ kind, count: answered.count, ms: firstResponse.medianMs, name, href: answered.href })
  }
  return looks.slice(0, maxLooks)
}
