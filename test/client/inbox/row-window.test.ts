import t from 'tap'
import { covers, type RowRange, rowsAt } from '#client/inbox/row-window.ts'

const px = 76
const height = 10 * px

t.test('wherever somebody scrolls the rows that are seen are there, and few others', async t => {
  let range: RowRange = { from: 0, to: 30 }
  for (const top of [0, 40, 500, 5000, 70_000, 75_000, 999 * px, 400, 0]) {
    range = rowsAt({ top, height }, 1000, range)
    const [first, end] = [Math.floor(top / px), Math.min(1000, Math.ceil((top + height) / px))]
    t.ok(range.from <= first && range.to >= end, `seen at ${top}`)
    t.ok(range.to - range.from <= 10 + 2 * 12 + 1, 'no more than is near')
    t.equal(rowsAt({ top, height }, 1000, range), range, 'asked again, nothing changes')
  }
})

t.test('a step back and forth draws nothing anew', async t => {
  const there = rowsAt({ top: 5000, height }, 1000, { from: 0, to: 30 })
  const further = rowsAt({ top: 5000 + 5 * px, height }, 1000, there)
  t.equal(rowsAt({ top: 5000, height }, 1000, further), further)
})

t.test('the row with the focus stays, until it is far away', async t => {
  const near = rowsAt({ top: 30 * px, height }, 1000, { from: 0, to: 30 }, 2)
  t.equal(near.from, 2)
  const far = rowsAt({ top: 500 * px, height }, 1000, near, 2)
  t.ok(far.from > 400)
})

t.test('a list that became shorter has no rows it does not have', async t => {
  t.same(rowsAt({ top: 0, height }, 3, { from: 0, to: 30 }), { from: 0, to: 3 })
  t.same(rowsAt({ top: 0, height }, 0, { from: 0, to: 30 }), { from: 0, to: 0 })
})

t.test('what is seen and not drawn cannot wait', async t => {
  const range = { from: 10, to: 40 }
  t.ok(covers(range, { top: 10 * px, height }, 1000))
  t.ok(covers(range, { top: 30 * px, height }, 1000), 'up to the last')
  t.notOk(covers(range, { top: 30 * px + 1, height }, 1000), 'a part of one counts')
  t.notOk(covers(range, { top: 9 * px, height }, 1000))
  t.ok(covers({ from: 0, to: 4 }, { top: -30, height }, 4), 'beyond both ends there is nothing')
})
