import t from 'tap'
import { readTypedClock, readTypedDate, readTypedTime } from '#client/ui/text/typed-time.ts'

const zone = 'America/Argentina/Buenos_Aires'
/** Wednesday, 14:20 there. */
const now = Date.parse('2026-11-25T17:20:00.000Z')
const read = (typed: string) => readTypedTime(typed, now, zone)

t.test('times are read as people type them, in Spanish and English', async t => {
  const times: readonly (readonly [string, string])[] = [
    ['mañana 9', '2026-11-26T09:00'],
    ['Mañana a las 15:30', '2026-11-26T15:30'],
    ['pasado mañana', '2026-11-27T09:00'],
    ['lunes', '2026-11-30T09:00'],
    ['el lunes 10 hs', '2026-11-30T10:00'],
    ['miércoles', '2026-12-02T09:00'],
    ['hoy 18', '2026-11-25T18:00'],
    ['en 2 horas', '2026-11-25T16:20'],
    ['dentro de una semana', '2026-12-02T14:20'],
    ['16.45', '2026-11-25T16:45'],
    ['9', '2026-11-26T09:00'],
    ['a las 9', '2026-11-26T09:00'],
    ['tomorrow, 9am', '2026-11-26T09:00'],
    ['next fri 5 pm', '2026-11-27T17:00'],
    ['in 45 minutes', '2026-11-25T15:05'],
    ['in a day', '2026-11-26T14:20'],
    ['at 12am', '2026-11-26T00:00'],
    ['1730', '2026-11-25T17:30'],
    ['mar 9', '2026-12-01T09:00'],
    ['3/12', '2026-12-03T09:00'],
    ['3/12 10', '2026-12-03T10:00'],
    ['3/1 15:30', '2027-01-03T15:30'],
    ['el 3 de diciembre a las 10', '2026-12-03T10:00'],
    ['3 dic 2026, 09:30', '2026-12-03T09:30'],
    ['Dec 3 at 5pm', '2026-12-03T17:00'],
    ['2036-12-01T20:00', '2036-12-01T20:00'],
  ]
  for (const [typed, wall] of times) t.equal(read(typed), wall, typed)
})

t.test('a text that is no time is read as no time', async t => {
  for (const typed of [
    '',
    'hoy',
    'algún día',
    'lunes quizás',
    'mañana 25',
    '13 pm',
    'en 0 horas',
    'en x horas',
    '9:75',
    '31/2',
    '3/12 25',
  ])
    t.equal(read(typed), undefined, typed)
})

t.test('a time of day is read in the short forms', async t => {
  const clocks = { 9: '09:00', 930: '09:30', '0930': '09:30', '9:30': '09:30', '9.30': '09:30', '9h30': '09:30' }
  for (const [typed, clock] of Object.entries({ ...clocks, '17 hs': '17:00', '5 pm': '17:00', '23:59': '23:59' }))
    t.equal(readTypedClock(typed), clock, typed)
  for (const typed of ['', '24', '960', '9:5', 'mañana', '12345', '-1'])
    t.equal(readTypedClock(typed), undefined, typed)
})

t.test('a date is read with the day first, in Spanish and English', async t => {
  const dates: readonly (readonly [string, string])[] = [
    ['3/12', '2026-12-03'],
    ['3/1', '2026-01-03'],
    ['3-12-26', '2026-12-03'],
    ['3.12.2026', '2026-12-03'],
    ['03122026', '2026-12-03'],
    ['28/02/85', '1985-02-28'],
    ['3 dic', '2026-12-03'],
    ['3 de diciembre de 2027', '2027-12-03'],
    ['3 sept 2026', '2026-09-03'],
    ['Dec 3, 2026', '2026-12-03'],
    ['1 Apr', '2026-04-01'],
    ['2024-02-29', '2024-02-29'],
    ['hoy', '2026-11-25'],
    ['yesterday', '2026-11-24'],
    ['Mañana', '2026-11-26'],
  ]
  for (const [typed, date] of dates) t.equal(readTypedDate(typed, '2026-11-25'), date, typed)
  for (const typed of ['', '12', '29/2/2026', '3/13', '3/12 9:30', '3 xyz', '2026-13-01', 'lunes'])
    t.equal(readTypedDate(typed, '2026-11-25'), undefined, typed)
})
