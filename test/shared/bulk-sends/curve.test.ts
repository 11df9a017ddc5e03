/** The part of a send's delivery curve that is drawn first. */
import t from 'tap'
import { endOfMost } from '#shared/bulk-sends/curve.ts'

const startMs = Date.parse('2026-11-29T10:00:00.000Z')
const point = (minutes: number, sent: number, read = 0) => ({
  at: new Date(startMs + minutes * 60_000).toISOString(),
  ...{ sent, delivered: 0, read, replied: 0, failed: 0 },
})

t.test('a long rest with almost no events is left out at first', async t => {
  t.equal(endOfMost([point(0, 0), point(1, 60), point(2, 99), point(1200, 100)]), 2)
  t.equal(endOfMost([point(0, 0), point(1, 60), point(2, 60, 39), point(1200, 60, 40)]), 2, 'every line counts')
})

t.test('otherwise the whole axis is shown', async t => {
  t.equal(endOfMost([point(0, 0), point(1, 60), point(2, 97), point(1200, 100)]), 3, 'too many come late')
  t.equal(endOfMost([point(0, 0), point(60, 99), point(119, 100)]), 2, 'the rest is less than half')
  t.equal(endOfMost([point(0, 0), point(10, 0)]), 1, 'nothing happened')
})
