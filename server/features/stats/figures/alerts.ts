import { fewCases } from '#shared/stats/definitions.ts'
import { type Alert, type GroupAnswer, maxAlerts, type StatsSummary } from '#shared/stats/summary.ts'

interface AlertFacts extends Pick<StatsSummary, 'promiseMs' | 'unanswered' | 'tags' | 'teams'> {
  /** Conversations unattended for longer than promised. `oldestMs`: the longest of these waits. */
  readonly late: { readonly count: number; readonly href: string; readonly oldestMs: number | null }
}

/** The group with the slowest median that is later than promised. */
const slowest = (groups: readonly GroupAnswer[], promiseMs: number | null): GroupAnswer | undefined =>
  groups
    .filter(
      ({ id, firstResponse: { count, medianMs } }) =>
        id !== null && promiseMs !== null && count >= fewCases && (medianMs ?? 0) > promiseMs,
    )
    .toSorted((a, b) => (b.firstResponse.medianMs ?? 0) - (a.firstResponse.medianMs ?? 0))[0]

/** The alerts: customers who wait longer than promised, unanswered conversations, slow tags and slow teams. */
export function alertsOf({ promiseMs, unanswered, tags, teams, late }: AlertFacts): Alert[] {
  const alerts: Alert[] = []
  if (late.count) alerts.push({ kind: 'waiting', count: late.count, ms: late.oldestMs, name: null, href: late.href })
  if (unanswered.count) alerts.push({ kind: 'unanswered', ...unanswered, ms: null, name: null })
  for (const [kind, groups] of [['slowTag', tags] as const, ['slowTeam', teams] as const]) {
    const found = slowest(groups, promiseMs)
    if (!found) continue
    const { answered, firstResponse, name } = found
    alerts.push({ kind, count: answered.count, ms: firstResponse.medianMs, name, href: answered.href })
  }
  return alerts.slice(0, maxAlerts)
}
