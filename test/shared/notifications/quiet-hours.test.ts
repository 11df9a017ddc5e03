import t from 'tap'
import { isQuietAt } from '#shared/notifications/quiet-hours.ts'

const timeZone = 'America/Montevideo' // UTC−3
const at = (time: string) => `2026-11-20T${time}:00.000Z`

t.test('quiet hours use the person’s time zone, and may cross midnight', async t => {
  const night = { from: '22:00', to: '07:00', timeZone }
  t.same(
    ['00:59', '01:00', '03:00', '09:59', '10:00', '15:00'].map(time => isQuietAt(night, at(time))),
    [false, true, true, true, false, false],
  )
  const lunch = { from: '12:30', to: '13:30', timeZone }
  t.same(
    ['15:29', '15:30', '16:29', '16:30'].map(time => isQuietAt(lunch, at(time))),
    [false, true, true, false],
  )
  t.notOk(isQuietAt(null, at('03:00')))
})
