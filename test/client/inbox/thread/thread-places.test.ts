import t from 'tap'
import { isInMiddle } from '#client/inbox/thread/thread-places.ts'

t.test('a message counts as centred until it leaves the middle, in both directions', async t => {
  const place = { id: 'm1', below: 1000 }
  const sees = (at: number) => isInMiddle(place, { at, height: 600 })
  t.ok(sees(700))
  t.ok(sees(700 - 90))
  t.ok(sees(700 + 90))
  t.notOk(sees(700 - 110), 'scrolled towards the end')
  t.notOk(sees(700 + 110), 'scrolled away from it')
  t.notOk(isInMiddle(undefined, { at: 0, height: 600 }), 'nothing is read yet')
})
