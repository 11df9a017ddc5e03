import t from 'tap'
import { everyOther, orderListeners } from '#server/platform/events/listener-order.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'

const listener = (name: string, ...after: string[]): TransactionListener => ({
  name,
  on: 'all',
  after,
  handle: async () => undefined,
})
const order = (...listeners: TransactionListener[]) => orderListeners(listeners).map(({ name }) => name)

t.test('listeners without `after` stay in the order given', async t => {
  t.same(order(listener('a'), listener('b'), listener('c')), ['a', 'b', 'c'])
})

t.test('a listener runs after those it names, and no later than necessary', async t => {
  t.same(order(listener('a', 'c'), listener('b'), listener('c'), listener('d')), ['b', 'c', 'a', 'd'])
  t.same(order(listener('a', 'b'), listener('b', 'c'), listener('c')), ['c', 'b', 'a'])
})

t.test('a listener with everyOther runs after all that do not have it, and after those it names', async t => {
  const last = listener('last', everyOther, 'index')
  t.same(order(last, listener('index', everyOther), listener('a'), listener('b', 'a')), ['a', 'b', 'index', 'last'])
})

t.test('an unknown name in `after` is refused', async t => {
  t.throws(() => order(listener('a', 'gone')), /"a" comes after "gone", which is not a listener/)
})

t.test('a circle is refused, with the names of those in it', async t => {
  t.throws(() => order(listener('a', 'b'), listener('b', 'a'), listener('c')), /one another: a, b$/)
  t.throws(() => order(listener('a', 'a')), /one another: a$/)
  t.throws(() => order(listener('a', everyOther), listener('b', 'a')), /one another: b, a$/)
})
