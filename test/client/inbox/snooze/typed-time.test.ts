import t from 'tap'
import { readTypedTime } from '#client/inbox/snooze/typed-time.ts'

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
  ]
  for (const [typed, wall] of times) t.equal(read(typed), wall, typed)
})

t.test('what is not a time is not guessed', async t => {
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
    '3/12',
  ])
    t.equal(read(typed), undefined, typed)
})
