import t from 'tap'
import { createCostEstimate } from '#server/features/bulk-sends/planning/cost.ts'
import type { RateCard } from '#shared/bulk-sends/rates.ts'

const card: RateCard = {
  currency: 'USD',
  validFrom: '2026-10-01',
  rates: [
    { country: 'AR', prices: { MARKETING: 0.0618, UTILITY: 0.03 } },
    { country: 'UY', prices: { UTILITY: 0.02 } },
    { country: '*', prices: { MARKETING: 0.1 } },
  ],
  updatedAt: null,
}
const estimate = (category: string, phones: readonly string[], of: RateCard | undefined = card) => {
  const cost = createCostEstimate(of, category)
  for (const phone of phones) cost.add(phone)
  return cost.estimate()
}
const [argentine, uruguayan, chilean, uncounted] = [
  '5491155551001',
  '59899123456',
  '56961234567',
  '999000000000',
] as const

t.test('each message costs its country’s price, or the default price', async t => {
  t.same(estimate('MARKETING', [argentine, argentine, uruguayan, chilean, uncounted]), {
    amount: 0.4236,
    unpriced: 0,
    currency: 'USD',
    validFrom: '2026-10-01',
  })
})

t.test('a recipient without a price is counted as unpriced', async t => {
  t.match(estimate('UTILITY', [argentine, chilean, uncounted]), { amount: 0.03, unpriced: 2 })
  t.match(estimate('NEW_WORD', [argentine]), { amount: 0, unpriced: 1 })
})

t.test('without prices there is no estimate', async t => {
  t.equal(estimate('MARKETING', [argentine], { ...card, rates: [] }), null)
  t.equal(createCostEstimate(undefined, 'MARKETING').estimate(), null)
})
