import t from 'tap'
import { priceOf, ratesOf, typedFrom } from '#client/bulk-sends/create/plan/rates-form.ts'

const line = (country: string, MARKETING: string) => ({
  key: `${country} ${MARKETING}`,
  country,
  prices: { MARKETING, UTILITY: '', AUTHENTICATION: '', SERVICE: '' },
})

t.test('a price is accepted with a comma or a point', async t => {
  t.equal(priceOf(' 0,0618 '), 0.0618)
  t.equal(priceOf('0.0618'), 0.0618)
  t.equal(priceOf('0'), 0)
  t.equal(priceOf(''), null)
  for (const none of ['-1', '1.2.3', '1,000.50', 'x', '0.']) t.equal(priceOf(none), undefined, none)
})

t.test('entered prices are saved as typed, and lines without a price are dropped', async t => {
  const rates = ratesOf([line('AR', '0,05'), line('UY', '')])
  t.same(rates, [{ country: 'AR', prices: { MARKETING: 0.05 } }])
  t.equal(typedFrom({ rates: rates ?? [] }, 'es')[0]?.prices.MARKETING, '0,05')
  t.equal(typedFrom({ rates: rates ?? [] }, 'en')[0]?.prices.MARKETING, '0.05')
})

t.test('stored prices have as many decimals as the longest, so that they line up', async t => {
  const pricesOf = (prices: object) =>
    typedFrom({ rates: [{ country: 'AR', prices }] }, 'en').map(rate => Object.values(rate.prices).join(' '))
  t.same(pricesOf({ MARKETING: 0.0618, UTILITY: 0.026, SERVICE: 0 }), ['0.0618 0.0260  0.0000'])
  t.same(pricesOf({ MARKETING: 12 }), ['12   '])
  t.same(pricesOf({ MARKETING: 0.00001 }), ['0.00001   '])
})

t.test('a duplicate country or an invalid price is not saved', async t => {
  t.equal(ratesOf([line('AR', '1'), line('AR', '2')]), undefined)
  t.equal(ratesOf([line('AR', 'x')]), undefined)
})
