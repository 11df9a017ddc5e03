import t from 'tap'
import { daysAgo } from '#client/notifications/time.ts'

const buenosAires = 'America/Argentina/Buenos_Aires'

t.test('days change at midnight of that time zone', async t => {
  const now = Date.parse('2026-11-20T00:30:00.000Z')
  t.equal(daysAgo('2026-11-20T00:00:00.000Z', now, 'UTC'), 0)
  t.equal(daysAgo('2026-11-19T23:59:59.000Z', now, 'UTC'), 1)
  t.equal(daysAgo('2026-11-19T23:59:59.000Z', now, buenosAires), 0)
  t.equal(daysAgo('2026-11-19T02:59:59.000Z', now, buenosAires), 1)
  t.equal(daysAgo('2026-11-13T12:00:00.000Z', now, 'UTC'), 7)
  t.equal(daysAgo('2026-11-20T00:31:00.000Z', now, 'UTC'), 0, 'a server a minute ahead')
  t.equal(daysAgo('2026-11-21T00:31:00.000Z', now, 'UTC'), 0)
})
