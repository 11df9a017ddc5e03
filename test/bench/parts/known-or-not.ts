import { median, percentile } from './samples.ts'

export interface Difference {
  /** Milliseconds: of a try for somebody who is here, and for nobody. */
  readonly known: number
  readonly unknown: number
  /** How far the two medians lie apart. */
  readonly apart: number
  /** How far they would lie apart by chance alone, in 99 of 100 cases: the same samples, parted at random again and again. */
  readonly noise: number
}

const partings = 2000

/** Whether anybody can tell by the time who is known. */
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

/** Tries for somebody and for nobody in turn, each time another one first, one after the other. */
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
