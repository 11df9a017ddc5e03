import t from 'tap'
import { readRange } from '#server/messaging/media/range.ts'

t.test('a single valid range is parsed', async t => {
  t.same(readRange('bytes=0-3', 10), { start: 0, end: 3 })
  t.same(readRange('bytes=4-', 10), { start: 4, end: 9 })
  t.same(readRange('bytes=-3', 10), { start: 7, end: 9 })
  t.same(readRange('bytes=-30', 10), { start: 0, end: 9 })
  t.same(readRange('bytes=8-30', 10), { start: 8, end: 9 })
})

t.test('a missing, multiple or invalid range gets the whole file; one beyond the end is refused', async t => {
  for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=0-1,4-5', 'lines=0-1', 'bytes=5-2'])
    t.equal(readRange(header, 10), 'whole', String(header))
  for (const header of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) t.equal(readRange(header, 10), 'refused', header)
  t.equal(readRange('bytes=0-', 0), 'refused')
})
