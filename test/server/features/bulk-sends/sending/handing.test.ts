import fc from 'fast-check'
import t from 'tap'
import { handingOf, maxQueued } from '#server/features/bulk-sends/sending/handing.ts'

t.test(
  'batches have as many recipients as the rate needs, at most a commit’s worth, and few are left waiting',
  async t => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), perMessage => {
        const { perSecond, atOnce, mostQueued } = handingOf(perMessage)
        t.ok(Number.isInteger(perSecond) && Number.isInteger(atOnce))
        t.ok(perSecond * atOnce >= perMessage, `${perMessage} a second are handed over`)
        t.ok(atOnce >= 1 && atOnce <= 128)
        t.ok(mostQueued >= 2 * atOnce && mostQueued <= maxQueued)
      }),
    )
  },
)

t.test('slow batches match the rate exactly, fast ones exceed it a little to make up for a late one', async t => {
  t.match(handingOf(20), { perSecond: 1, atOnce: 20 })
  t.match(handingOf(250), { perSecond: 4, atOnce: 63 })
  t.match(handingOf(600), { perSecond: 13, atOnce: 64 })
  t.match(handingOf(1000), { perSecond: 10, atOnce: 128 })
})
