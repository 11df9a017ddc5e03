import t from 'tap'
import { clock12, daysAgo } from '#client/notifications/time.ts'

const at = (time: string) => `2026-11-20T${time}.000Z`
const buenosAires = 'America/Argentina/Buenos_Aires'

t.test('a twelve-hour clock in each language’s format, in the inbox’s time zone', async t => {
  t.equal(clock12(at('14:05:59'), 'es', 'UTC'), '2:05\u00a0p.\u00a0m.')
  t.equal(clock12(at('14:05:59'), 'es', buenosAires), '11:05\u00a0a.\u00a0m.')
  t.equal(clock12(at('14:05:59'), 'en', 'Europe/Madrid'), '3:05\u00a0PM')
  t.same(
    ['00:00:00', '00:30:00', '11:59:59', '12:00:00', '23:59:59'].map(time => clock12(at(time), 'en', 'UTC')),
    ['12:00', '12:30', '11:59', '12:00', '11:59'].map((time, i) => `${time}\u00a0${i < 3 ? 'AM' : 'PM'}`),
  )
})

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
