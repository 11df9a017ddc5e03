import t from 'tap'
import { shiftInto } from '#client/flows/canvas/use-in-sight.ts'

t.test('a step moves just as far as it must to be seen whole', async t => {
  t.equal(shiftInto(100, 280, 1000), 0)
  t.equal(shiftInto(900, 280, 1000), -204)
  t.equal(shiftInto(-50, 280, 1000), 74)
})

t.test('one that is longer than the room shows its beginning', async t => {
  t.equal(shiftInto(200, 900, 600), -176)
  t.equal(shiftInto(24, 900, 600), 0)
})
