import t from 'tap'
import { momentText, quickChoices } from '#client/scheduled-messages/moments.ts'

const timeZone = 'America/Argentina/Buenos_Aires'
const wallsAt = (iso: string, zone = timeZone) =>
  Object.fromEntries(quickChoices(Date.parse(iso), zone).map(({ name, wall }) => [name, wall]))

t.test('the quick choices use the days of the reader’s time zone', async t => {
  t.same(wallsAt('2026-11-20T13:05:00Z'), {
    hour: '2026-11-20T11:05',
    tomorrow: '2026-11-21T09:00',
    monday: '2026-11-23T09:00',
  })
  // In Buenos Aires it is still the day before.
  t.match(wallsAt('2026-11-21T02:30:00Z'), { hour: '2026-11-21T00:30', tomorrow: '2026-11-21T09:00' })
  t.match(wallsAt('2026-11-21T02:30:00Z', 'Europe/Madrid'), { tomorrow: '2026-11-22T09:00' })
  t.match(wallsAt('2026-11-23T15:00:00Z'), { monday: '2026-11-30T09:00' }, 'on a Monday the next one is meant')
  t.notMatch(wallsAt('2026-11-22T15:00:00Z'), { monday: String }, 'on a Sunday it is tomorrow')
})

t.test('a due time is written as people say it', async t => {
  const words = { today: 'hoy', tomorrow: 'mañana', on: (day: string) => `el ${day}` }
  const say = (iso: string) =>
    momentText(iso, { now: Date.parse('2026-11-20T13:00:00Z'), timeZone, language: 'es', words })
  t.equal(say('2026-11-20T20:00:00Z'), 'hoy 17:00')
  t.equal(say('2026-11-21T02:59:00Z'), 'hoy 23:59')
  t.equal(say('2026-11-21T03:00:00Z'), 'mañana 00:00')
  t.equal(say('2026-11-30T12:00:00Z'), 'el lunes 30 de noviembre, 09:00')
  t.equal(say('2027-01-04T12:00:00Z'), 'el lunes 4 de enero de 2027, 09:00')
})
