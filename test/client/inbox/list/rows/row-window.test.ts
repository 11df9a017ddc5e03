import t from 'tap'
import { covers, type RowRange, rowsAt, rowsAtOnce } from '#client/inbox/list/rows/row-window.ts'

const px = 76
const height = 10 * px

t.test('at any scroll position the visible rows are rendered, and few others', async t => {
  let range: RowRange = { from: 0, to: 30 }
  for (const top of [0, 40, 500, 5000, 70_000, 75_000, 999 * px, 400, 0]) {
    range = rowsAt({ at: top, height }, 1000, range)
    const [first, end] = [Math.floor(top / px), Math.min(1000, Math.ceil((top + height) / px))]
    t.ok(range.from <= first && range.to >= end, `seen at ${top}`)
    t.ok(range.to - range.from <= 10 + 2 * 12 + 1, 'no more than is near')
    t.equal(rowsAt({ at: top, height }, 1000, range), range, 'asked again, nothing changes')
  }
})

t.test('a small scroll back and forth renders nothing again', async t => {
  const there = rowsAt({ at: 5000, height }, 1000, { from: 0, to: 30 })
  const further = rowsAt({ at: 5000 + 5 * px, height }, 1000, there)
  t.equal(rowsAt({ at: 5000, height }, 1000, further), further)
})

t.test('the focused row stays rendered until it is far away', async t => {
  const near = rowsAt({ at: 30 * px, height }, 1000, { from: 0, to: 30 }, 2)
  t.equal(near.from, 2)
  const far = rowsAt({ at: 500 * px, height }, 1000, near, 2)
  t.ok(far.from > 400)
})

t.test('a shortened list renders no rows beyond its end', async t => {
  t.same(rowsAt({ at: 0, height }, 3, { from: 0, to: 30 }), { from: 0, to: 3 })
  t.same(rowsAt({ at: 0, height }, 0, { from: 0, to: 30 }), { from: 0, to: 0 })
})

t.test('visible rows that are not rendered are urgent', async t => {
  const range = { from: 10, to: 40 }
  t.ok(covers(range, { at: 10 * px, height }, 1000))
  t.ok(covers(range, { at: 30 * px, height }, 1000), 'up to the last')
  t.notOk(covers(range, { at: 30 * px + 1, height }, 1000), 'a part of one counts')
  t.notOk(covers(range, { at: 9 * px, height }, 1000))
  t.ok(covers({ from: 0, to: 4 }, { at: -30, height }, 4), 'beyond both ends there is nothing')
})

t.test('an urgent update renders only the visible rows; rendered rows stay as usual', async t => {
  const now = { from: 10, to: 40 }
  const seen = { at: 35 * px, height }
  t.same(rowsAtOnce(seen, 1000, now), { from: 23, to: 51 })
  t.ok(covers(rowsAtOnce(seen, 1000, now), seen, 1000))
  const jumped = { at: 500 * px, height }
  t.same(rowsAtOnce(jumped, 1000, now), rowsAt(jumped, 1000, now), 'nothing of what is there: all of it')
  t.ok(covers(rowsAtOnce({ at: 0, height }, 1000, { from: 30, to: 60 }), { at: 0, height }, 1000))
  t.same(rowsAtOnce({ at: 0, height }, 4, now), { from: 0, to: 4 })
  t.equal(rowsAtOnce(seen, 1000, now, 12).from, 12, 'nor does the one with the focus go')
})
