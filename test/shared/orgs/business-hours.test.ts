import t from 'tap'
import {
  type BusinessHours,
  businessHoursFault,
  isWithinBusinessHours,
  nextOpening,
  weekdays,
} from '#shared/orgs/business-hours.ts'

const closed = Object.fromEntries(weekdays.map(day => [day, []])) as unknown as BusinessHours['week']
const hoursOf = (
  week: Partial<BusinessHours['week']>,
  exceptions: BusinessHours['exceptions'] = [],
): BusinessHours => ({ week: { ...closed, ...week }, exceptions })
const buenosAires = 'America/Argentina/Buenos_Aires'
const newYork = 'America/New_York'

t.test('without hours an organization is always open', async t => {
  t.equal(isWithinBusinessHours(null, '2026-11-23T03:00:00.000Z', buenosAires), true)
  t.equal(nextOpening(null, '2026-11-23T03:00:00.000Z', buenosAires), '2026-11-23T03:00:00.000Z')
})

t.test('a day can have several spans, in the organization’s zone, with exclusive ends', async t => {
  const hours = hoursOf({
    monday: [
      { from: '06:30', to: '13:00' },
      { from: '16:00', to: '20:30' },
    ],
  })
  // Monday, 23 November 2026; Buenos Aires is three hours behind UTC.
  for (const [at, isOpen] of [
    ['2026-11-23T09:29:59.999Z', false],
    ['2026-11-23T09:30:00.000Z', true],
    ['2026-11-23T15:59:59.999Z', true],
    ['2026-11-23T16:00:00.000Z', false],
    ['2026-11-23T19:00:00.000Z', true],
    ['2026-11-23T23:30:00.000Z', false],
    ['2026-11-24T12:00:00.000Z', false],
  ] as const)
    t.equal(isWithinBusinessHours(hours, at, buenosAires), isOpen, at)
  t.equal(isWithinBusinessHours(hours, '2026-11-23T07:00:00.000Z', 'UTC'), true, 'in another zone it is another time')
})

t.test('a span over midnight belongs to the day it begins on, and 00:00 to 00:00 is the whole day', async t => {
  const hours = hoursOf({ friday: [{ from: '20:00', to: '02:00' }], sunday: [{ from: '00:00', to: '00:00' }] })
  for (const [at, isOpen] of [
    ['2026-11-27T19:59:00.000Z', false],
    ['2026-11-27T20:00:00.000Z', true],
    ['2026-11-28T01:59:00.000Z', true],
    ['2026-11-28T02:00:00.000Z', false],
    ['2026-11-28T23:59:00.000Z', false],
    ['2026-11-29T00:00:00.000Z', true],
    ['2026-11-29T23:59:00.000Z', true],
    ['2026-11-30T00:00:00.000Z', false],
  ] as const)
    t.equal(isWithinBusinessHours(hours, at, 'UTC'), isOpen, at)
})

t.test('an exception replaces its weekday', async t => {
  const hours = hoursOf({ friday: [{ from: '09:00', to: '18:00' }] }, [
    { date: '2026-12-25', spans: [] },
    { date: '2026-12-26', spans: [{ from: '10:00', to: '12:00' }] },
  ])
  t.equal(isWithinBusinessHours(hours, '2026-12-25T12:00:00.000Z', 'UTC'), false)
  t.equal(isWithinBusinessHours(hours, '2026-12-26T11:00:00.000Z', 'UTC'), true)
  t.equal(isWithinBusinessHours(hours, '2026-12-18T12:00:00.000Z', 'UTC'), true)
})

t.test('across a clock change the hours stay those of the wall clock', async t => {
  const hours = hoursOf({ sunday: [{ from: '01:00', to: '02:00' }], monday: [{ from: '09:00', to: '17:00' }] })
  // 1 November 2026: 01:30 occurs twice in New York, an hour apart.
  t.equal(isWithinBusinessHours(hours, '2026-11-01T05:30:00.000Z', newYork), true)
  t.equal(isWithinBusinessHours(hours, '2026-11-01T06:30:00.000Z', newYork), true)
  t.equal(isWithinBusinessHours(hours, '2026-11-01T07:00:00.000Z', newYork), false)
  // 09:00 is 13:00 UTC in summer and 14:00 in winter.
  t.equal(isWithinBusinessHours(hours, '2026-10-26T13:00:00.000Z', newYork), true)
  t.equal(isWithinBusinessHours(hours, '2026-11-02T13:59:00.000Z', newYork), false)
  t.equal(isWithinBusinessHours(hours, '2026-11-02T14:00:00.000Z', newYork), true)
  t.equal(nextOpening(hours, '2026-11-01T12:00:00.000Z', newYork), '2026-11-02T14:00:00.000Z')
})

t.test('the next opening is now, later today, after closed days, or never', async t => {
  const hours = hoursOf({
    monday: [
      { from: '15:00', to: '18:00' },
      { from: '09:00', to: '13:00' },
    ],
  })
  t.equal(nextOpening(hours, '2026-11-23T10:00:00.000Z', 'UTC'), '2026-11-23T10:00:00.000Z')
  t.equal(nextOpening(hours, '2026-11-23T13:30:00.000Z', 'UTC'), '2026-11-23T15:00:00.000Z')
  t.equal(nextOpening(hours, '2026-11-23T18:00:00.000Z', 'UTC'), '2026-11-30T09:00:00.000Z')
  t.equal(nextOpening(hoursOf({}), '2026-11-23T18:00:00.000Z', 'UTC'), null)
})

t.test('overlapping spans, empty spans and invalid days are named', async t => {
  const span = (from: string, to: string) => ({ from, to })
  t.equal(businessHoursFault(hoursOf({ monday: [span('13:00', '18:00'), span('09:00', '13:00')] })), undefined)
  t.equal(businessHoursFault(hoursOf({ monday: [span('09:00', '13:01'), span('13:00', '18:00')] })), 'week.monday')
  t.equal(businessHoursFault(hoursOf({ friday: [span('20:00', '02:00'), span('21:00', '22:00')] })), 'week.friday')
  t.equal(businessHoursFault(hoursOf({ friday: [span('09:00', '09:00')] })), 'week.friday')
  t.equal(businessHoursFault(hoursOf({}, [{ date: '2026-02-30', spans: [] }])), 'exceptions.0')
  const twice = { date: '2026-12-25', spans: [] }
  t.equal(businessHoursFault(hoursOf({}, [twice, twice])), 'exceptions.1')
})
