import t from 'tap'
import { createScrollAhead } from '#client/inbox/list/rows/scroll-ahead.ts'

t.test('predicts what is visible within two frames at this speed, in both directions', async t => {
  const ahead = createScrollAhead()
  t.same(ahead({ at: 0, height: 800 }), { at: 0, height: 800 }, 'at rest')
  t.same(ahead({ at: 60, height: 800 }), { at: 60, height: 920 }, 'away from the end it counts from')
  t.same(ahead({ at: 0, height: 800 }), { at: -120, height: 920 }, 'and back')
  t.same(ahead({ at: 0, height: 800 }), { at: 0, height: 800 }, 'who stopped sees no more than they see')
  t.same(ahead({ at: 800, height: 800 }), { at: 800, height: 2400 }, 'a screen at a time')
  t.same(
    ahead({ at: 90_000, height: 800 }),
    { at: 90_000, height: 800 },
    'who jumps sees what is there, and not the way',
  )
  t.same(ahead({ at: 0, height: 800 }), { at: 0, height: 800 }, 'nor the way back')
  const another = createScrollAhead()
  ahead({ at: 500, height: 800 })
  t.same(another({ at: 0, height: 800 }), { at: 0, height: 800 }, 'each has a speed of its own')
})
