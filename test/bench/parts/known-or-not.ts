import { median, percentile } from './samples.ts'

export interface Difference {
  /** Milliseconds of an attempt for an existing person, and for an unknown one. */
  readonly known: number
  readonly unknown: number
  /** The difference of the two medians. */
  readonly apart: number
  /** The difference that chance alone stays below in 99 of 100 cases, found by splitting the samples at random. */
  readonly noise: number
}

const partings = 2000

/** Whether the time reveals who is known. */
export const differenceOf = (known: readonly number[], unknown: readonly number[]): Difference => {
  const all = Float64Array.from([...known, ...unknown])
  const byChance = Array.from({ length: partings }, () => {
    for (let i = all.length - 1; i > 0; i -= 1) {
      const other = Math.floor(Math.random() * (i + 1))
      const value = all[i] as number
      all[i] = all[other] as number
      all[other] = value
    }
    return Math.abs(median(all.subarray(0, known.length)) - median(all.subarray(known.length)))
  })
  return {
    known: median(known),
    unknown: median(unknown),
    apart: Math.abs(median(known) - median(unknown)),
    noise: percentile(byChance, 0.99),
  }
}

/** Alternates attempts for known and unknown people; which one is first changes each time. */
export const tryBoth = async (
  tries: number,
  attempt: { known(i: number): Promise<number>; unknown(i: number): Promise<number> },
): Promise<Difference> => {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let i = 0; i < tries; i += 1)
    for (const who of i % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const))
      times[who].push(await attempt[who](i))
  return differenceOf(times.known, times.unknown)
}
