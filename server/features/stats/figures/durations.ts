/** Statistics of a set of durations; null: the set is empty. */
export interface Durations {
  readonly count: number
  readonly medianMs: number | null
  readonly p90Ms: number | null
  readonly meanMs: number | null
}

/** The nearest-rank percentile: the smallest value that at least this part of all values does not exceed. */
const rank = (sorted: readonly number[], part: number): number | null =>
  sorted.length ? (sorted[Math.ceil(sorted.length * part) - 1] ?? null) : null

export function durationsOf(values: readonly number[]): Durations {
  const sorted = new Float64Array(values).sort()
  const all = sorted as unknown as readonly number[]
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    count: values.length,
    medianMs: rank(all, 0.5),
    p90Ms: rank(all, 0.9),
    meanMs: values.length ? Math.round(sum / values.length) : null,
  }
}
