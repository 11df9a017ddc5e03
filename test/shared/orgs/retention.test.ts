import t from 'tap'
import { nextNight, retentionCutoff } from '#shared/orgs/retention.ts'

t.test('months are calendar months, and a missing day becomes the month’s last', async t => {
  const cutoff = (now: string, months: number) => retentionCutoff(new Date(now), months)
  t.equal(cutoff('2026-11-23T10:15:00.000Z', 12), '2025-11-23T10:15:00.000Z')
  t.equal(cutoff('2026-05-31T00:00:00.000Z', 3), '2026-02-28T00:00:00.000Z')
  t.equal(cutoff('2024-05-31T00:00:00.000Z', 3), '2024-02-29T00:00:00.000Z')
  t.equal(cutoff('2026-01-15T00:00:00.000Z', 120), '2016-01-15T00:00:00.000Z')
})

t.test('the night is the next one in the zone, never the current moment', async t => {
  const night = (now: string, zone: string) => new Date(nextNight(Date.parse(now), zone)).toISOString()
  t.equal(night('2026-11-23T05:59:00.000Z', 'America/Argentina/Buenos_Aires'), '2026-11-23T06:00:00.000Z')
  t.equal(night('2026-11-23T06:00:00.000Z', 'America/Argentina/Buenos_Aires'), '2026-11-24T06:00:00.000Z')
  t.equal(night('2026-11-23T20:00:00.000Z', 'Asia/Tokyo'), '2026-11-24T18:00:00.000Z')
  t.equal(night('2026-03-28T12:00:00.000Z', 'Europe/Madrid'), '2026-03-29T01:00:00.000Z', 'the clocks change at two')
})
