import t from 'tap'
import { businessTime } from '#server/features/stats/figures/business-time.ts'
import { durationsOf, medianOf } from '#server/features/stats/figures/durations.ts'
import { lateSince } from '#server/features/stats/figures/late-since.ts'
import { periodBefore, readPeriod } from '#server/features/stats/figures/period.ts'
import { segmentStart } from '#server/features/stats/figures/show.ts'
import { createWallClock, wallTime } from '#shared/kernel/time.ts'
import { type BusinessHours, isWithinBusinessHours, weekdays } from '#shared/orgs/business-hours.ts'
import { plainMedian, plainRank } from '#test/helpers/plain-figures.ts'
import { chance } from '#test/helpers/segment-history.ts'

const hour = 3_600_000
const madrid = 'Europe/Madrid'
const now = Date.parse('2026-11-28T12:00:00.000Z')

const lasts = (from: string, to: string, timeZone: string) => {
  const period = readPeriod({ from, to }, now, timeZone)
  if ('fault' in period) throw new Error(period.fault)
  return { hours: (Date.parse(period.until) - Date.parse(period.since)) / hour, period }
}

t.test('days have 23, 24 or 25 hours, and a period as many days as it says', async t => {
  t.equal(lasts('2026-03-29', '2026-03-29', madrid).hours, 23)
  t.equal(lasts('2026-10-25', '2026-10-25', madrid).hours, 25)
  t.equal(lasts('2026-10-25', '2026-10-25', 'America/Argentina/Buenos_Aires').hours, 24)
  t.equal(lasts('2026-09-06', '2026-09-06', 'America/Santiago').hours, 23, 'where midnight is skipped')
  const { period } = lasts('2026-10-24', '2026-10-30', madrid)
  t.match(periodBefore(period, madrid), { from: '2026-10-17', to: '2026-10-23', days: 7, until: period.since })
})

t.test('an hour that clocks show twice is one hour of the day', async t => {
  const [first, second] = [Date.parse('2026-10-25T00:30:00.000Z'), Date.parse('2026-10-25T01:30:00.000Z')]
  const wallClock = createWallClock(madrid)
  t.same(segmentStart(first, wallClock), { weekday: 7, hour: 2, day: Date.parse('2026-10-25') / (24 * hour) })
  t.same(segmentStart(second, wallClock), segmentStart(first, wallClock))
  for (let at = first - 40 * hour; at < first + 40 * hour; at += 900_000)
    t.equal(new Date(wallClock(at)).toISOString().slice(0, 16), wallTime(at, madrid))
})

t.test('business time between two moments equals a count of its open minutes', async t => {
  const hours: BusinessHours = {
    week: {
      ...(Object.fromEntries(weekdays.map(day => [day, [{ from: '09:00', to: '18:00' }]])) as BusinessHours['week']),
      friday: [
        { from: '09:00', to: '13:00' },
        { from: '20:00', to: '02:00' },
      ],
      saturday: [{ from: '01:00', to: '03:00' }],
      sunday: [],
    },
    exceptions: [{ date: '2026-10-23', spans: [] }],
  }
  const next = chance(7)
  const elapsed = businessTime(hours, madrid)
  t.equal(elapsed(now, now + hour), 0, 'later days may be asked for first')
  for (let i = 0; i < 60; i += 1) {
    const from = Date.parse('2026-10-20T00:00:00.000Z') + Math.floor(next() * 9 * 24 * 60) * 60_000
    const to = from + Math.floor(next() ** 3 * 5 * 24 * 60) * 60_000
    let minutes = 0
    for (let at = from; at < to; at += 60_000)
      if (isWithinBusinessHours(hours, new Date(at).toISOString(), madrid)) minutes += 1
    t.equal(elapsed(from, to) / 60_000, minutes, `${new Date(from).toISOString()} ${new Date(to).toISOString()}`)
  }
  t.equal(elapsed(5, 1), 0)
  t.equal(businessTime(null, madrid)(1, 5), 4)
})

t.test('all customers past the promise have waited since before one moment', async t => {
  const hours: BusinessHours = {
    week: Object.fromEntries(weekdays.map(day => [day, [{ from: '09:00', to: '18:00' }]])) as BusinessHours['week'],
    exceptions: [],
  }
  for (const elapsed of [businessTime(hours, madrid), businessTime(null, madrid)])
    for (const promiseMs of [0, 60_000, 15 * 60_000, 30 * hour]) {
      const late = lateSince(elapsed, now, promiseMs) as number
      t.ok(elapsed(late, now) > promiseMs)
      t.notOk(elapsed(late + 1, now) > promiseMs)
    }
  t.equal(
    lateSince(() => 0, now, 0),
    undefined,
    'where it never opens nobody waits too long',
  )
})

t.test('medians and 90th percentiles equal those of the sorted values', async t => {
  t.same(durationsOf([]), { count: 0, medianMs: null, p90Ms: null, meanMs: null })
  t.same(durationsOf([4, 1, 3, 2]), { count: 4, medianMs: 2, p90Ms: 4, meanMs: 3 })
  const next = chance(11)
  for (let i = 0; i < 200; i += 1) {
    const most = 10 ** Math.floor(next() * 8)
    const values = Array.from({ length: 1 + Math.floor(next() * 60) }, () => Math.floor(next() * most))
    const { medianMs, p90Ms } = durationsOf(values)
    t.same([medianMs, p90Ms, medianOf(values)], [plainRank(values, 0.5), plainRank(values, 0.9), plainMedian(values)])
  }
  t.same(durationsOf(Array.from({ length: 100 }, (_, i) => i + 1)), { count: 100, medianMs: 50, p90Ms: 90, meanMs: 51 })
})
