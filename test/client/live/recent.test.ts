import t from 'tap'
import { createRecentEvents } from '#client/live/recent.ts'

t.test('a late subscriber gets the recent events, and none twice', async t => {
  let now = 1000
  const recent = createRecentEvents(() => now)
  recent.add('human', { number: '1' }, 7)
  now = 1500
  recent.add('notify', { id: 'a' }, 8)
  recent.add('human', { number: '2' }, 9)
  t.match(recent.of('human', 0), [{ id: 7 }, { id: 9 }])
  t.match(recent.of('human', 1001), [{ id: 9 }])
  t.equal(recent.of('message', 0).length, 0)
})

t.test('after half a minute recent events are dropped: a later subscriber requests data anyway', async t => {
  let now = 0
  const recent = createRecentEvents(() => now)
  recent.add('human', {}, 1)
  now = 30_000
  t.equal(recent.of('human', 0).length, 1)
  now = 30_001
  t.equal(recent.of('human', 0).length, 0)
})

t.test('a flood keeps the newest events', async t => {
  const recent = createRecentEvents(() => 0)
  for (let id = 1; id <= 1000; id += 1) recent.add('message', {}, id)
  const kept = recent.of('message', 0)
  t.equal(kept.length, 300)
  t.equal(kept.at(-1)?.id, 1000)
})
