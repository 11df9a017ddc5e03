import t from 'tap'
import { periodKey, reportPeriodAt } from '#server/features/stats/report/report-period.ts'
import { dayNumber, wallTime } from '#shared/kernel/time.ts'
import { reportRhythms } from '#shared/stats/report.ts'
import { chance } from '#test/helpers/segment-history.ts'

const buenosAires = 'America/Argentina/Buenos_Aires'
const at = (iso: string) => Date.parse(iso)

t.test('the week before is due on Mondays at eight', async t => {
  // Eight in Buenos Aires is eleven in UTC.
  t.same(reportPeriodAt('weekly', at('2026-03-16T11:00:00.000Z'), buenosAires), {
    due: { from: '2026-03-09', to: '2026-03-15' },
    nextAt: '2026-03-23T11:00:00.000Z',
  })
  t.same(reportPeriodAt('weekly', at('2026-03-16T10:59:59.999Z'), buenosAires), {
    due: { from: '2026-03-02', to: '2026-03-08' },
    nextAt: '2026-03-16T11:00:00.000Z',
  })
})

t.test('the month before is due on the first at eight', async t => {
  t.same(reportPeriodAt('monthly', at('2026-03-01T11:00:00.000Z'), buenosAires), {
    due: { from: '2026-02-01', to: '2026-02-28' },
    nextAt: '2026-04-01T11:00:00.000Z',
  })
  t.same(reportPeriodAt('monthly', at('2026-01-01T10:00:00.000Z'), buenosAires), {
    due: { from: '2025-11-01', to: '2025-11-30' },
    nextAt: '2026-01-01T11:00:00.000Z',
  })
})

t.test('reports are due at eight also after the clocks have changed', async t => {
  // Madrid changes on Sunday 29 March 2026.
  t.equal(reportPeriodAt('weekly', at('2026-03-23T07:00:00.000Z'), 'Europe/Madrid').nextAt, '2026-03-30T06:00:00.000Z')
  t.equal(reportPeriodAt('weekly', at('2026-10-19T06:00:00.000Z'), 'Europe/Madrid').nextAt, '2026-10-26T07:00:00.000Z')
})

t.test('whatever the time and the zone, what is due has ended and the next is due at eight', async t => {
  const next = chance(7)
  const zones = [
    buenosAires,
    'Europe/Madrid',
    'Pacific/Apia',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Africa/Cairo',
    'UTC',
  ]
  for (let i = 0; i < 400; i += 1) {
    const now = at('2025-01-01T00:00:00.000Z') + Math.floor(next() * 900 * 86_400_000)
    const zone = zones[i % zones.length] as string
    for (const rhythm of reportRhythms) {
      const { due, nextAt } = reportPeriodAt(rhythm, now, zone)
      const about = `${rhythm} ${new Date(now).toISOString()} ${zone}`
      const today = new Date(dayNumber(new Date(now).toISOString(), zone) * 86_400_000).toISOString().slice(0, 10)
      t.ok(due.to < today, `${about}: ends before today`)
      t.ok(at(nextAt) > now, `${about}: the next is later`)
      t.equal(wallTime(at(nextAt), zone).slice(11), '08:00', about)
      const after = reportPeriodAt(rhythm, at(nextAt), zone)
      t.equal(at(after.due.from), at(due.to) + 86_400_000, `${about}: no day is left out`)
      t.ok(periodKey(rhythm, after.due) > periodKey(rhythm, due), about)
      const days = (at(due.to) - at(due.from)) / 86_400_000 + 1
      t.ok(rhythm === 'weekly' ? days === 7 : days >= 28 && days <= 31, `${about}: ${days} days`)
    }
  }
})
