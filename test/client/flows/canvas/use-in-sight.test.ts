import t from 'tap'
import { shiftClear, shiftInto } from '#client/flows/canvas/use-in-sight.ts'

t.test('the view moves just far enough to show a step completely', async t => {
  t.equal(shiftInto(100, 280, 1000), 0)
  t.equal(shiftInto(900, 280, 1000), -204)
  t.equal(shiftInto(-50, 280, 1000), 74)
})

t.test('a step larger than the view shows its beginning', async t => {
  t.equal(shiftInto(200, 900, 600), -176)
  t.equal(shiftInto(24, 900, 600), 0)
})

t.test('a step under the minimap or the tools moves away from them', async t => {
  const map = { left: 780, top: 680, across: 200, down: 110 }
  const tools = { left: 16, top: 16, across: 160, down: 40 }
  const step = { left: 700, top: 640, across: 240, down: 120 }
  t.equal(shiftClear(step, [map, tools], 800), -104)
  t.equal(shiftClear({ ...step, left: 300 }, [map, tools], 800), 0)
  t.equal(shiftClear({ ...step, left: 30, top: 30 }, [map, tools], 800), 50)
})

t.test('a large step above the minimap keeps its head in sight', async t => {
  const map = { left: 780, top: 480, across: 200, down: 110 }
  t.equal(shiftClear({ left: 700, top: 24, across: 240, down: 500 }, [map], 600), 0)
  t.equal(shiftClear({ left: 700, top: 60, across: 240, down: 500 }, [map], 600), -36)
})
