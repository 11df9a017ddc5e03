/** How fast a send goes on once WhatsApp has held its number back, with the simulator as Meta. */
import fc from 'fast-check'
import t from 'tap'
import { paceAt } from '#server/bulk-sends/pace.ts'
import { bulkPerSecond } from '#shared/bulk-sends.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a pace is never none, never above the usual one, and only grows with time', async () => {
  const at = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
  const ms = fc.integer({ min: -3_600_000, max: 3_600_000 })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: bulkPerSecond }),
      at,
      ms,
      fc.nat(600_000),
      (perSecond, from, afterMs, more) => {
        const slowed = { perSecond, slowedAt: from.toISOString() }
        const now = paceAt(slowed, from.getTime() + afterMs)
        if (now < 1 || now > bulkPerSecond) throw new Error(String(now))
        if (paceAt(slowed, from.getTime() + afterMs + more) < now) throw new Error('slower by waiting')
      },
    ),
  )
})

t.test('a number that was held back goes on with half, is as fast as ever after a while, and loses nobody', async t => {
  const { create, report, house, later, ask, taken } = await stage(t)
  const numbers = phones(120).join('\n')
  for (let i = 0; i < 3; i += 1) await ask('POST', '/sandbox/fail', { code: '130429' })
  const send = await create({ audience: { numbers }, startIfPlanned: 120 })
  t.equal((await report(send)).perSecond, bulkPerSecond)
  await house.settle()
  for (let i = 0; i < 3; i += 1) await later(1_000)
  t.equal((await report(send)).perSecond, bulkPerSecond / 2, 'what was refused together counts once')
  for (let i = 0; i < 30; i += 1) await later(1_000)
  t.ok((await report(send)).perSecond > bulkPerSecond / 2)
  for (let i = 0; i < 12; i += 1) await later(20_000)
  t.match(await report(send), { state: 'completed', perSecond: bulkPerSecond, counts: { planned: 0, failed: 0 } })
  t.equal((await taken()).length, 120)
  t.same(house.errors(), [])
})
