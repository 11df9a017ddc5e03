import t from 'tap'
import { createLocalHours } from '#server/features/bulk-sends/sending/local-hours.ts'

const at = (now: string, hours = { from: 9, to: 20 }, ownZone = 'America/Argentina/Buenos_Aires') =>
  createLocalHours({ hours }, { nowMs: Date.parse(now), ownZone })

t.test('a number of a country with one time zone uses that zone', async t => {
  const argentine = '5491155551001'
  t.equal(at('2026-11-23T15:00:00Z')(argentine), null, 'noon there')
  t.equal(at('2026-11-23T23:00:00Z')(argentine), '2026-11-24T12:00:00.000Z', 'eight in the evening is past it')
  t.equal(at('2026-11-23T22:59:59Z')(argentine), null)
  t.equal(at('2026-11-24T04:07:00Z')(argentine), '2026-11-24T12:00:00.000Z', 'in the night')
  t.equal(at('2026-11-23T11:59:00Z')('919812345678'), null, 'half hours count: 17:29 in India')
  t.equal(at('2026-11-23T14:31:00Z')('919812345678'), '2026-11-24T03:30:00.000Z')
})

t.test('for a country with several zones the hour must fit in all of them', async t => {
  const american = '12125550123'
  // 9:00 in Honolulu is 14:00 in New York, where 20:00 ends the period.
  t.equal(at('2026-11-23T15:00:00Z')(american), '2026-11-23T19:00:00.000Z')
  t.equal(at('2026-11-23T20:00:00Z')(american), null)
  t.equal(at('2026-11-24T01:00:00Z')(american), '2026-11-24T19:00:00.000Z')
  const spanish = '34612345678'
  t.equal(at('2026-11-23T08:30:00Z')(spanish), '2026-11-23T09:00:00.000Z', 'the Canaries are an hour behind')
})

t.test('without a common hour or a known country the organization’s time zone is used', async t => {
  const morning = { from: 9, to: 10 }
  t.equal(at('2026-11-23T12:30:00Z', morning)('12125550123'), null)
  t.equal(at('2026-11-23T13:30:00Z', morning)('12125550123'), '2026-11-24T12:00:00.000Z')
  t.equal(at('2026-11-23T12:30:00Z')('88312345678'), null)
  t.equal(at('2026-11-23T02:00:00Z')('88312345678'), '2026-11-23T12:00:00.000Z')
})

t.test('a daylight saving change is respected', async t => {
  // In Chile the clock goes forward on the first Sunday of September.
  t.equal(at('2026-09-05T12:30:00Z')('56912345678'), '2026-09-05T13:00:00.000Z')
  t.equal(at('2026-09-07T12:30:00Z')('56912345678'), null)
})

t.test('a local start is per time zone; with several zones it must have passed in all of them', async t => {
  const from = (now: string, localStart: string, hours: { from: number; to: number } | null = null) =>
    createLocalHours({ hours, localStart }, { nowMs: Date.parse(now), ownZone: 'America/Argentina/Buenos_Aires' })
  const ten = from('2026-11-23T12:00:00Z', '2026-11-24T10:00')
  t.equal(ten('5491155551001'), '2026-11-24T13:00:00.000Z')
  t.equal(ten('34612345678'), '2026-11-24T10:00:00.000Z', 'with the islands an hour behind')
  t.equal(ten('919812345678'), '2026-11-24T04:30:00.000Z')
  t.equal(ten('12125550123'), '2026-11-24T20:00:00.000Z', 'ten in Honolulu')
  t.equal(from('2026-11-24T13:00:00Z', '2026-11-24T10:00')('5491155551001'), null)
  const evening = from('2026-11-23T12:00:00Z', '2026-11-24T21:00', { from: 9, to: 20 })
  t.equal(evening('5491155551001'), '2026-11-25T12:00:00.000Z', 'and within the hours, where there are any')
})
