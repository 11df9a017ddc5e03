import { phoneCountry } from '#server/platform/text/phone-country.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import { type RateCard, type RatedCategory, ratedCategories } from '#shared/bulk-sends/rates.ts'

const isRated = (category: string): category is RatedCategory =>
  (ratedCategories as readonly string[]).includes(category)

/** Counts recipients by country and estimates the cost, with the number of recipients without a price. */
export function createCostEstimate(card: RateCard | undefined, category: string) {
  const people = new Map<string, number>()
  return {
    add(digits: string): void {
      if (!card) return
      const country = phoneCountry(digits)
      people.set(country, (people.get(country) ?? 0) + 1)
    },
    /** Null: no prices were entered. */
    estimate(): BulkPlan['cost'] {
      if (!card?.rates.length) return null
      const prices = new Map(
        card.rates.map(rate => [rate.country, isRated(category) ? rate.prices[category] : undefined]),
      )
      let amount = 0
      let unpriced = 0
      for (const [country, count] of people) {
        const price = prices.get(country) ?? prices.get('*')
        if (price === undefined) unpriced += count
        else amount += price * count
      }
      // Prices have at most six decimals. Further digits are rounding errors.
      return { amount: Math.round(amount * 1e6) / 1e6, unpriced, currency: card.currency, validFrom: card.validFrom }
    },
  }
}
