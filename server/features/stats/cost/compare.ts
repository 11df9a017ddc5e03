import { unknownCountry } from '#server/platform/text/phone-country.ts'
import type { CostDifference } from '#shared/stats/cost.ts'

/** Our count for one category and country. */
export interface OurPart {
  readonly key: string
  readonly country: string
  /** Delivered. */
  readonly billed: number
  readonly free: number
  /** Sent, without a receipt. */
  readonly undelivered: number
  readonly amount: number
  /** The price of one message. Undefined: nobody entered it. */
  readonly price: number | undefined
}

/** Meta's count for the same category and country. */
export interface MetaPart {
  readonly key: string
  readonly billed: number
  readonly free: number
  readonly cost: number
}

type Cause = CostDifference['cause']
const causes: readonly Cause[] = ['price', 'free', 'undelivered', 'unknownCountry', 'noPrice', 'other']

const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6

/**
 * Why our amount differs from Meta's. The differences add up to it: `price` is what Meta's messages cost more or less by
 * our prices; the others are messages that only one of both counts as billed, by our price.
 */
export function differencesOf(ours: readonly OurPart[], metas: readonly MetaPart[]): CostDifference[] {
  const sums = new Map<Cause, number>()
  const add = (cause: Cause, amount: number) => sums.set(cause, (sums.get(cause) ?? 0) + amount)
  const byKey = new Map(ours.map(part => [part.key, part]))
  const hasUnknown = ours.some(({ country, billed }) => country === unknownCountry && billed > 0)
  for (const meta of metas) {
    const own = byKey.get(meta.key)
    byKey.delete(meta.key)
    if (!own) add(hasUnknown ? 'unknownCountry' : 'other', -meta.cost)
    else if (own.price === undefined) add('noPrice', own.amount - meta.cost)
    else {
      const { price } = own
      add('price', meta.billed * price - meta.cost)
      add('free', (meta.free - own.free) * price)
      const missing = meta.billed + meta.free - own.billed - own.free
      const undelivered = Math.min(Math.max(missing, 0), own.undelivered)
      add('undelivered', -undelivered * price)
      // What is left: messages of the day before or after, or the price changed within the range.
      add('other', own.amount - own.billed * price - (missing - undelivered) * price)
    }
  }
  for (const { country, amount } of byKey.values()) add(country === unknownCountry ? 'unknownCountry' : 'other', amount)
  return causes.flatMap(cause => {
    const amount = rounded(sums.get(cause) ?? 0)
    return amount === 0 ? [] : [{ cause, amount }]
  })
}
