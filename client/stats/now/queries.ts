import { queryFor } from '#client/app/queries/queries.ts'
import type { StatsNow } from '#shared/stats/now.ts'

const maxMs = 60_000
/** A change of the clock is asked for a moment after it, so that the answer contains it. */
const marginMs = 500

/** Ms until the figures change by themselves, at most a minute. */
const untilNextChange = (answer: StatsNow | undefined): number => {
  if (!answer?.nextChangeAt) return maxMs
  const ms = Date.parse(answer.nextChangeAt) - Date.parse(answer.at) + marginMs
  return Math.min(maxMs, Math.max(1_000, ms))
}

export const nowQuery = (org: string) => ({
  ...queryFor(org, 'stats.getNow', {}),
  refetchInterval: ({ state }: { state: { data: StatsNow | undefined } }) => untilNextChange(state.data),
})
