import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  clockTime,
  dayNumber,
  dayStart,
  dayTitle,
  dayWord,
  defaultTimeZone,
  exactTime,
  fullTime,
  isTimeZone,
  monthOf,
  rowTime,
  setDateZone,
  shortTime,
  startOfDay,
  timeLeft,
  timeOfWall,
  wallTime,
  weekdayOf,
} from '#shared/kernel/time.ts'
import { listFiles, root } from '#test/helpers/sources.ts'

const now = Date.parse('2026-11-20T15:00:00.000Z')

t.test('a time is shown in the reader’s time zone, across daylight saving', async t => {
  t.equal(clockTime('2026-11-20T13:05:00.000Z', defaultTimeZone), '10:05')
  t.equal(clockTime('2026-11-20T13:05:00.000Z', 'UTC'), '13:05')
  t.equal(clockTime('2026-11-20T13:05:00.000Z', 'Asia/Kathmandu'), '18:50')
  t.equal(clockTime('2026-03-29T00:59:00.000Z', 'Europe/Madrid'), '01:59')
  t.equal(clockTime('2026-03-29T01:01:00.000Z', 'Europe/Madrid'), '03:01')
})

t.test('if Date uses the reader’s zone it gives the same result without a formatter', async t => {
  const own = process.env.TZ
  t.teardown(() => {
    setDateZone(undefined)
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  })
  for (const zone of ['America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
    const times = Array.from({ length: 700 }, (_, n) =>
      new Date(Date.UTC(2025, 0, 1, 0, 7) + n * 12.37 * 3_600_000).toISOString(),
    )
    const shown = () => times.map(at => `${dayNumber(at, zone)} ${clockTime(at, zone)}`)
    const known = shown()
    // Date's own zone is assumed, whatever was used before.
    process.env.TZ = zone
    setDateZone(zone)
    t.same(shown(), known, zone)
    process.env.TZ = 'UTC'
    t.not(shown().join(), known.join(), 'and it is Date that is asked')
    setDateZone(undefined)
  }
})

t.test('every quarter hour of two years agrees with Intl', async t => {
  const apart: string[] = []
  for (const zone of [defaultTimeZone, 'Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe']) {
    const intl = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    for (
      let at = Date.parse('2025-01-01T00:07:00Z');
      at < Date.parse('2027-01-01T00:00:00Z');
      at += 11.37 * 3_600_000
    ) {
      const iso = new Date(at).toISOString()
      if (clockTime(iso, zone) !== intl.format(at)) apart.push(`${iso} in ${zone}`)
    }
  }
  t.same(apart, [])
})

t.test('a day begins at midnight of the zone', async t => {
  t.not(dayNumber('2026-11-20T02:59:00.000Z', defaultTimeZone), dayNumber('2026-11-20T03:00:00.000Z', defaultTimeZone))
  t.equal(dayWord('2026-11-20T03:00:00.000Z', now, defaultTimeZone), 'today')
  t.equal(dayWord('2026-11-20T02:59:00.000Z', now, defaultTimeZone), 'yesterday')
  t.equal(dayWord('2026-11-18T12:00:00.000Z', now, defaultTimeZone), null)
})

t.test('a row shows the time, then "yesterday", then the weekday, then the date', async t => {
  t.equal(rowTime('2026-11-20T13:05:00.000Z', now, 'es', defaultTimeZone), '10:05')
  t.equal(rowTime('2026-11-19T13:05:00.000Z', now, 'es', defaultTimeZone), null)
  t.equal(rowTime('2026-11-17T13:05:00.000Z', now, 'es', defaultTimeZone), 'mar')
  t.equal(rowTime('2026-11-02T13:05:00.000Z', now, 'es', defaultTimeZone), '2/11/26')
})

t.test('a divider shows the day and, in another year, the year', async t => {
  t.equal(dayTitle('2026-11-20T13:05:00.000Z', now, 'es', defaultTimeZone), 'viernes 20 de noviembre')
  t.equal(shortTime('2026-11-20T16:05:00.000Z', 'es', defaultTimeZone), '20 nov 2026, 13:05')
  t.equal(shortTime('2026-11-20T16:05:00.000Z', 'en', defaultTimeZone), '20 Nov 2026, 13:05')
  t.equal(fullTime('2026-11-20T16:05:00.000Z', 'es', defaultTimeZone), '20 de noviembre de 2026, 13:05')
  t.equal(fullTime('2026-11-20T16:05:00.000Z', 'en', defaultTimeZone), '20 November 2026, 13:05')
  t.match(dayTitle('2025-11-20T13:05:00.000Z', now, 'en', defaultTimeZone), /20 November 2025/)
})

t.test('the remaining time of a window', async t => {
  t.equal(timeLeft(72 * 60_000), '1\u00a0h\u00a012')
  t.equal(timeLeft(12 * 60_000 + 5), '12\u00a0min')
  t.equal(timeLeft(30_000), '<\u00a01\u00a0min')
  t.equal(timeLeft(0), '')
})

t.test('an invented zone is refused', async t => {
  t.notOk(isTimeZone('Mars/Olympus'))
  t.ok(isTimeZone('America/Argentina/Cordoba'))
})

t.test('wall clock time converts to an instant and back', async t => {
  const at = Date.parse('2026-11-23T12:30:00.000Z')
  for (const [zone, wall] of [
    ['America/Argentina/Buenos_Aires', '2026-11-23T09:30'],
    ['Asia/Kolkata', '2026-11-23T18:00'],
    ['UTC', '2026-11-23T12:30'],
  ] as const) {
    t.equal(wallTime(at, zone), wall)
    t.equal(timeOfWall(wall, zone), new Date(at).toISOString())
  }
  t.equal(timeOfWall('', 'UTC'), undefined)
})

t.test('a time with seconds, a weekday and a month, in either language, with 24 hours', async t => {
  const at = '2026-11-20T16:05:09.500Z'
  const zone = 'America/Argentina/Buenos_Aires'
  t.equal(exactTime(at, 'es', zone), '20 nov 2026, 13:05:09')
  t.equal(exactTime(at, 'en', zone), '20 Nov 2026, 13:05:09')
  t.equal(weekdayOf(at, 'es', zone), 'viernes')
  t.equal(weekdayOf(at, 'en', zone), 'Friday')
  t.equal(monthOf(at, 'es', zone), 'noviembre de 2026')
  t.equal(monthOf(at, 'en', zone), 'November 2026')
})

t.test('pages format dates only with these functions; other formatters would use other regional formats', async t => {
  const own = listFiles(['client'], /\.tsx?$/).filter(file =>
    readFileSync(join(root, file), 'utf8').includes('DateTimeFormat('),
  )
  // The second writes no date, only the offset of a time zone.
  t.same(own, ['client/ui/text/own-time-zone.ts', 'client/ui/text/time-zone-label.ts'])
})

t.test(
  'a skipped local time moves forward by the gap, west and east of Greenwich, at night and at midnight',
  async t => {
    for (const [wall, zone, at] of [
      ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
      ['2026-03-29T02:30', 'Europe/Madrid', '2026-03-29T01:30:00.000Z'],
      ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
      ['2026-09-06T00:30', 'America/Santiago', '2026-09-06T04:30:00.000Z'],
      ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
      // It occurs twice; the first is used.
      ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
      ['2026-04-04T23:30', 'America/Santiago', '2026-04-05T02:30:00.000Z'],
      // Near a clock change, and far from one.
      ['2026-03-08T01:59', 'America/New_York', '2026-03-08T06:59:00.000Z'],
      ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
      ['2026-07-01T12:00', 'America/New_York', '2026-07-01T16:00:00.000Z'],
    ] as const)
      t.equal(timeOfWall(wall, zone), at, `${wall} ${zone}`)
    t.equal(startOfDay('2026-09-06', 'America/Santiago'), '2026-09-06T04:00:00.000Z')
    t.equal(dayStart(Date.parse('2026-09-06T15:00:00Z'), 'America/Santiago'), '2026-09-06T04:00:00.000Z')
  },
)
