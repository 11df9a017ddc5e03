import t from 'tap'
import { goes } from '#client/ui/page/drag-away.ts'

const still = { width: 400, pxPerMs: 0, restedMs: 500 }
const thrown = { width: 400, restedMs: 10 }

t.test('dragging four fifths of the width closes it, to either side', async t => {
  t.ok(goes({ ...still, x: 320 }))
  t.ok(goes({ ...still, x: -320 }))
  t.notOk(goes({ ...still, x: 319 }))
  t.notOk(goes({ ...still, x: -319 }))
})

t.test(
  'a fling closes it from any distance, unless it is slow, short, held at the end or back at its start',
  async t => {
    t.ok(goes({ ...thrown, x: 60, pxPerMs: 0.8 }))
    t.ok(goes({ ...thrown, x: -60, pxPerMs: -0.8 }))
    t.notOk(goes({ ...thrown, x: 60, pxPerMs: 0.2 }))
    t.notOk(goes({ ...thrown, x: 20, pxPerMs: 0.8 }))
    t.notOk(goes({ ...thrown, x: 60, pxPerMs: 0.8, restedMs: 200 }))
    t.notOk(goes({ ...thrown, x: 60, pxPerMs: -0.8 }))
  },
)
