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

t.test('a listener comes behind those it names, and no further back than it must', async t => {
  t.same(order(listener('a', 'c'), listener('b'), listener('c'), listener('d')), ['b', 'c', 'a', 'd'])
  t.same(order(listener('a', 'b'), listener('b', 'c'), listener('c')), ['c', 'b', 'a'])
})

t.test('a listener after every other comes behind all that do not say so, and behind those it names', async t => {
  const last = listener('last', everyOther, 'index')
  t.same(order(last, listener('index', everyOther), listener('a'), listener('b', 'a')), ['a', 'b', 'index', 'last'])
})

t.test('an `after` that names no listener is refused', async t => {
  t.throws(() => order(listener('a', 'gone')), /"a" comes after "gone", which is no listener/)
})

t.test('a circle is refused, with the names of those in it', async t => {
  t.throws(() => order(listener('a', 'b'), listener('b', 'a'), listener('c')), /one another: a, b$/)
  t.throws(() => order(listener('a', 'a')), /one another: a$/)
  t.throws(() => order(listener('a', everyOther), listener('b', 'a')), /one another: b, a$/)
})
