import t from 'tap'
import { snoozeChoices } from '#client/inbox/snooze/choices.ts'

const zone = 'America/Argentina/Buenos_Aires'
const at = (iso: string, timeZone = zone) =>
  Object.fromEntries(snoozeChoices(Date.parse(iso), timeZone).map(({ name, at }) => [name, at]))

t.test('later today is three hours on, on the hour; tomorrow and Monday are at nine', async t => {
  t.same(at('2026-11-26T14:20:00Z'), {
    later: '2026-11-26T18:00:00.000Z',
    tomorrow: '2026-11-27T12:00:00.000Z',
    monday: '2026-11-30T12:00:00.000Z',
  })
})

t.test('in the evening there is no later today, and on a Sunday tomorrow is Monday', async t => {
  t.same(Object.keys(at('2026-11-26T22:30:00Z')), ['tomorrow', 'monday'])
  t.same(Object.keys(at('2026-11-29T13:00:00Z')), ['later', 'tomorrow'])
  t.equal(at('2026-11-29T13:00:00Z').tomorrow, '2026-11-30T12:00:00.000Z')
  t.equal(at('2026-11-30T13:00:00Z').monday, '2026-12-07T12:00:00.000Z', 'on a Monday the next one')
})

t.test('in the night, later today is in the morning', async t => {
  t.equal(at('2026-11-26T04:19:00Z').later, '2026-11-26T12:00:00.000Z')
  t.equal(at('2026-11-26T08:20:00Z').later, '2026-11-26T12:00:00.000Z')
  t.equal(at('2026-11-26T12:20:00Z').later, '2026-11-26T16:00:00.000Z')
})

t.test('nine is nine on the wall, also after a night in which the clocks change', async t => {
  // In New York, clocks go back on 1 November 2026, and forward on 8 March 2026.
  t.equal(at('2026-10-31T15:00:00Z', 'America/New_York').tomorrow, '2026-11-01T14:00:00.000Z')
  t.equal(at('2026-03-07T15:00:00Z', 'America/New_York').tomorrow, '2026-03-08T13:00:00.000Z')
  t.equal(at('2026-09-05T20:00:00Z', 'America/Santiago').tomorrow, '2026-09-06T12:00:00.000Z')
})

t.test('the day is that of the zone, not of UTC', async t => {
  t.equal(at('2026-11-27T01:30:00Z').tomorrow, '2026-11-27T12:00:00.000Z')
})
