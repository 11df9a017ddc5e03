import t from 'tap'
import { businessTime, businessTimeAfter } from '#server/features/stats/figures/business-time.ts'
import { type BusinessHours, weekdays } from '#shared/orgs/business-hours.ts'
import { soonMs } from '#shared/stats/definitions.ts'
import { chance } from '#test/helpers/segment-history.ts'

const minute = 60_000
const hour = 60 * minute
const zone = 'America/Argentina/Buenos_Aires'
const everyDay = (spans: { from: string; to: string }[]): BusinessHours => ({
  week: Object.fromEntries(weekdays.map(day => [day, spans])) as BusinessHours['week'],
  exceptions: [],
})
const at = (wall: string) => Date.parse(`${wall}:00.000-03:00`)

t.test('a promise that the evening cuts short is due on the next morning', async t => {
  const after = businessTimeAfter(everyDay([{ from: '09:00', to: '19:00' }]), zone)
  t.equal(after(at('2026-11-27T18:59'), 15 * minute), at('2026-11-28T09:14'))
  t.equal(after(at('2026-11-27T22:00'), 15 * minute), at('2026-11-28T09:15'))
  t.equal(after(at('2026-11-27T12:00'), 15 * minute), at('2026-11-27T12:15'))
  t.equal(after(at('2026-11-27T18:45'), 15 * minute), at('2026-11-28T09:00'), 'closing time still keeps it')
  t.equal(after(at('2026-11-27T20:00'), 0), at('2026-11-28T09:00'), 'no time at all begins at the opening')
})

t.test('days off are passed over, and without hours all time counts', async t => {
  const hours = everyDay([{ from: '09:00', to: '19:00' }])
  const holidays = { ...hours, exceptions: [{ date: '2026-11-28', spans: [] }] }
  t.equal(businessTimeAfter(holidays, zone)(at('2026-11-27T18:59'), 15 * minute), at('2026-11-29T09:14'))
  t.equal(businessTimeAfter(null, zone)(at('2026-11-27T23:59'), hour), at('2026-11-28T00:59'))
  t.equal(businessTimeAfter(everyDay([]), zone)(at('2026-11-27T12:00'), minute), undefined, 'never open')
})

t.test('the due time is when exactly that much business time has passed', async t => {
  const hours: BusinessHours = {
    ...everyDay([
      { from: '09:00', to: '13:00' },
      { from: '20:00', to: '02:00' },
    ]),
    exceptions: [{ date: '2026-10-23', spans: [] }],
  }
  const madrid = 'Europe/Madrid'
  const [elapsed, after, next] = [businessTime(hours, madrid), businessTimeAfter(hours, madrid), chance(3)]
  for (let i = 0; i < 200; i += 1) {
    const from = Date.parse('2026-10-20T00:00:00.000Z') + Math.floor(next() * 9 * 24 * hour)
    const ms = Math.floor(next() ** 2 * 40 * hour)
    const due = after(from, ms) ?? 0
    t.equal(elapsed(from, due), ms, `${new Date(from).toISOString()} ${ms}`)
    t.equal(elapsed(from, due + 1), ms + 1, 'and no later')
  }
})

t.test('people are warned a fifth of the promise before its end, but a minute at least', async t => {
  t.equal(soonMs(15 * minute), 3 * minute)
  t.equal(soonMs(2 * minute), minute)
  t.equal(soonMs(minute), minute)
  t.equal(soonMs(100 * minute), 20 * minute)
})
