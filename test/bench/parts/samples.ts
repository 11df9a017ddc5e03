/** The value below which `share` of the sorted-or-not samples lie. NaN for none. */
export const percentile = (samples: ArrayLike<number>, share: number): number => {
  const sorted = Float64Array.from(samples).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: ArrayLike<number>): number => {
  const sorted = Float64Array.from(samples).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** Median and how far the rounds lie apart, as a share of it. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export const spreadOf = (samples: readonly number[]): Spread => ({
  median: median(samples),
  low: Math.min(...samples),
  high: Math.max(...samples),
})

/** Medians of the ratios round by round: what disturbs a round disturbs both sides of it. */
export const ratioOf = (subject: readonly number[], peer: readonly number[]): Spread =>
  spreadOf(subject.map((value, round) => value / (peer[round] as number)))

/**
 * One round of each after the other, again and again, in turns that begin with another each time, so that a slow
 * minute of the machine falls on all of them.
 */
export async function interleave<N extends string, T>(
  rounds: number,
  contestants: Readonly<Record<N, (round: number) => Promise<T>>>,
): Promise<Record<N, T[]>> {
  const names = Object.keys(contestants) as N[]
  const results = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<N, T[]>
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length] as N
      results[name].push(await contestants[name](round))
    }
  return results
}
