import t from 'tap'
import { createConcurrencyByKey } from '#server/platform/work/concurrency-by-key.ts'

/** Work that ends when it is told to. */
const held = () => {
  const began: string[] = []
  const ends = new Map<string, { resolve(): void; reject(error: Error): void }>()
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      began.push(name)
      ends.set(name, { resolve: () => resolve(name), reject })
    })
  return { began, work, end: (name: string) => ends.get(name)?.resolve(), fail: (name: string) => ends.get(name) }
}
const nextTurn = () => new Promise(resolve => setImmediate(resolve))

t.test('so many of a key run at once, the others in the order of their calls', async t => {
  const limit = createConcurrencyByKey({ atOnce: 2, maxWaiting: 2 })
  const { began, work, end } = held()
  const calls = ['a', 'b', 'c', 'd'].map(name => limit.run('org', work(name)))
  t.same(began, ['a', 'b'])
  t.equal(await limit.run('org', work('e')), 'full')
  const other = limit.run('another', work('f'))
  t.same(began, ['a', 'b', 'f'], 'another key has places of its own')
  end('b')
  await nextTurn()
  t.same(began, ['a', 'b', 'f', 'c'])
  for (const name of ['a', 'c', 'f']) end(name)
  await nextTurn()
  end('d')
  t.same(await Promise.all([...calls, other]), ['a', 'b', 'c', 'd', 'f'])
})

t.test('work that fails gives its place on', async t => {
  const limit = createConcurrencyByKey({ atOnce: 1, maxWaiting: 1 })
  const { began, work, end, fail } = held()
  const first = limit.run('org', work('a'))
  const second = limit.run('org', work('b'))
  fail('a')?.reject(new Error('broken'))
  await t.rejects(first, /broken/)
  await nextTurn()
  t.same(began, ['a', 'b'])
  end('b')
  t.equal(await second, 'b')
})
