import t from 'tap'
import { shiftInto } from '#client/flows/canvas/use-in-sight.ts'

t.test('the view moves just far enough to show a step completely', async t => {
  t.equal(shiftInto(100, 280, 1000), 0)
  t.equal(shiftInto(900, 280, 1000), -204)
  t.equal(shiftInto(-50, 280, 1000), 74)
})

t.test('a step larger than the view shows its beginning', async t => {
  t.equal(shiftInto(200, 900, 600), -176)
  t.equal(shiftInto(24, 900, 600), 0)
})
