import t from 'tap'
import { zoneLabel } from '#client/ui/text/time-zone-label.ts'

const january = Date.parse('2026-01-15T12:00:00Z')
const july = Date.parse('2026-07-15T12:00:00Z')

t.test('a time zone begins with its city and ends with its present offset', async t => {
  t.equal(zoneLabel('America/Argentina/Buenos_Aires', january), 'Buenos Aires, Argentina (UTC−3)')
  t.equal(zoneLabel('America/New_York', january), 'New York (UTC−5)')
  t.equal(zoneLabel('America/New_York', july), 'New York (UTC−4)')
  t.equal(zoneLabel('Asia/Kolkata', january), 'Kolkata (UTC+5:30)')
  t.equal(zoneLabel('Europe/London', january), 'London (UTC+0)')
  t.equal(zoneLabel('UTC', january), 'UTC')
})

t.test('no two time zones have the same label', async t => {
  const zones = Intl.supportedValuesOf('timeZone')
  t.equal(new Set(zones.map(zone => zoneLabel(zone, january))).size, zones.length)
})
