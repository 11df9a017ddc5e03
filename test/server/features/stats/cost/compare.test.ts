import t from 'tap'
import { differencesOf, type MetaPart, type OurPart } from '#server/features/stats/cost/compare.ts'
import { randomCases } from '#test/helpers/night.ts'
import { chance } from '#test/helpers/segment-history.ts'

const ours = (more: Partial<OurPart> = {}): OurPart => ({
  ...{ key: 'marketing AR', country: 'AR', billed: 100, free: 0, undelivered: 0, amount: 6, price: 0.06 },
  ...more,
})
const meta = (more: Partial<MetaPart> = {}): MetaPart => ({
  ...{ key: 'marketing AR', billed: 100, free: 0, cost: 6 },
  ...more,
})

t.test("a difference to Meta's amount is split into price, free and undelivered messages", async t => {
  t.same(differencesOf([ours()], [meta()]), [])
  t.same(differencesOf([ours()], [meta({ cost: 7 })]), [{ cause: 'price', amount: -1 }])
  t.same(differencesOf([ours()], [meta({ billed: 90, free: 10, cost: 5.4 })]), [{ cause: 'free', amount: 0.6 }])
  t.same(differencesOf([ours({ billed: 90, amount: 5.4, undelivered: 10 })], [meta()]), [
    { cause: 'undelivered', amount: -0.6 },
  ])
  t.same(differencesOf([ours({ billed: 90, amount: 5.4 })], [meta()]), [{ cause: 'other', amount: -0.6 }])
  t.same(differencesOf([ours({ price: undefined, amount: 0 })], [meta()]), [{ cause: 'noPrice', amount: -6 }])
  t.same(differencesOf([ours({ key: 'marketing ??', country: '??' })], [meta({ key: 'marketing UY', cost: 8 })]), [
    { cause: 'unknownCountry', amount: -2 },
  ])
  t.same(differencesOf([], [meta()]), [{ cause: 'other', amount: -6 }])
})

t.test('differences add up to the whole', async t => {
  for (let seed = 1; seed <= randomCases({ day: 50, night: 2_000 }); seed += 1) {
    const next = chance(seed)
    const upTo = (most: number) => Math.floor(next() * most)
    const keys = ['marketing AR', 'service AR', 'utility ??', 'utility UY'].filter(() => next() < 0.8)
    const own = keys
      .filter(() => next() < 0.8)
      .map(key => {
        const [billed, price] = [upTo(50), next() < 0.8 ? upTo(100) / 100 : undefined]
        return ours({
          ...{ key, country: key.split(' ')[1] ?? '', billed, price, free: upTo(20), undelivered: upTo(10) },
          amount: price === undefined ? 0 : billed * price + (next() < 0.2 ? 1 : 0),
        })
      })
    const metas = keys
      .filter(() => next() < 0.8)
      .map(key => meta({ key, billed: upTo(50), free: upTo(20), cost: upTo(900) / 100 }))
    const whole = own.reduce((sum, { amount }) => sum + amount, 0) - metas.reduce((sum, { cost }) => sum + cost, 0)
    const sum = differencesOf(own, metas).reduce((all, { amount }) => all + amount, 0)
    t.ok(Math.abs(whole - sum) < 1e-5, `seed ${seed}: ${whole} and ${sum}`)
  }
})
