import type { RateCard, RatedCategory } from '#shared/bulk-sends/rates.ts'
import type { Charge, Money, SentCategory, SentSource } from '#shared/stats/cost.ts'

/** Prices from a day on. */
export type DatedCard = Pick<RateCard, 'currency' | 'validFrom' | 'rates'>

/** Messages of a day that are billed alike. */
export interface BilledSum {
  readonly day: string
  readonly country: string
  readonly category: SentCategory
  readonly charge: Charge
  readonly source: SentSource
  readonly sent: number
  readonly delivered: number
}

/** The cost of messages. `unpriced`: billed messages without a price. */
export interface Estimate {
  readonly delivered: number
  readonly free: number
  readonly billed: number
  readonly unpriced: number
  /** One for each currency, the largest first. Amounts of two currencies are never added. */
  readonly amounts: Money[]
}

const rated: Readonly<Record<SentCategory, readonly RatedCategory[]>> = {
  marketing: ['MARKETING'],
  utility: ['UTILITY'],
  authentication: ['AUTHENTICATION'],
  // Meta bills replies at the rate of utility messages.
  service: ['SERVICE', 'UTILITY'],
  unknown: [],
}

/** The prices in force on a day: those that began last before it, or the first ones. @param cards the earliest first */
const cardOn = (cards: readonly DatedCard[], day: string): DatedCard | undefined =>
  cards.findLast(({ validFrom }) => validFrom <= day) ?? cards[0]

const priceIn = ({ rates }: DatedCard, country: string, category: SentCategory): number | undefined => {
  const own = rates.find(rate => rate.country === country)?.prices
  const others = rates.find(rate => rate.country === '*')?.prices
  for (const prices of [own, others])
    for (const name of rated[category]) if (prices?.[name] !== undefined) return prices[name]
  return undefined
}

/** The price of one message; undefined: nobody entered it. */
export const messagePrice = (
  cards: readonly DatedCard[],
  { day, country, category }: Pick<BilledSum, 'day' | 'country' | 'category'>,
): Money | undefined => {
  const card = cardOn(cards, day)
  const amount = card && priceIn(card, country, category)
  return card && amount !== undefined ? { amount, currency: card.currency } : undefined
}

/** Sums of binary fractions: rounded to a millionth, because prices have at most six decimals. */
const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6

/** Adds up sums under keys. */
class Estimates<K extends string> {
  private readonly byKey = new Map<K, { counts: Omit<Estimate, 'amounts'>; amounts: Map<string, number> }>()
  private readonly cards: readonly DatedCard[]

  constructor(cards: readonly DatedCard[]) {
    this.cards = cards
  }

  add(key: K, sum: BilledSum): void {
    const known = this.byKey.get(key) ?? {
      counts: { delivered: 0, free: 0, billed: 0, unpriced: 0 },
      amounts: new Map<string, number>(),
    }
    const isBilled = sum.charge === 'regular'
    const price = isBilled ? messagePrice(this.cards, sum) : undefined
    const { delivered, free, billed, unpriced } = known.counts
    known.counts = {
      delivered: delivered + sum.delivered,
      free: free + (isBilled ? 0 : sum.delivered),
      billed: billed + (isBilled ? sum.delivered : 0),
      unpriced: unpriced + (isBilled && !price ? sum.delivered : 0),
    }
    if (price)
      known.amounts.set(price.currency, (known.amounts.get(price.currency) ?? 0) + price.amount * sum.delivered)
    this.byKey.set(key, known)
  }

  entries(): [K, Estimate][] {
    return [...this.byKey].map(([key, { counts, amounts }]) => [
      key,
      {
        ...counts,
        amounts: [...amounts]
          .map(([currency, amount]) => ({ amount: rounded(amount), currency }))
          .sort((a, b) => b.amount - a.amount || a.currency.localeCompare(b.currency)),
      },
    ])
  }
}

export const estimateAll = (cards: readonly DatedCard[], sums: readonly BilledSum[]): Estimate => {
  const all = new Estimates<''>(cards)
  for (const sum of sums) all.add('', sum)
  return all.entries()[0]?.[1] ?? { delivered: 0, free: 0, billed: 0, unpriced: 0, amounts: [] }
}

/** Estimates by what a function says of each sum. */
export const estimateBy = <K extends string>(
  cards: readonly DatedCard[],
  sums: readonly BilledSum[],
  keyOf: (sum: BilledSum) => K,
): [K, Estimate][] => {
  const all = new Estimates<K>(cards)
  for (const sum of sums) all.add(keyOf(sum), sum)
  return all.entries()
}
