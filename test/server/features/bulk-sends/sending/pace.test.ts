/** The send rate after WhatsApp has throttled the number, with the simulator as Meta. */
import fc from 'fast-check'
import t from 'tap'
import { maxQueued } from '#server/features/bulk-sends/sending/handing.ts'
import { createBulkPace, isKnown, paceAt } from '#server/features/bulk-sends/sending/pace.ts'
import { numberKey } from '#server/messaging/outbox/numbers.ts'
import { restUntil } from '#server/platform/jobs/pacing/pace-store.ts'
import { isoIn } from '#server/platform/time/clock.ts'
import { bulkPerSecond } from '#shared/bulk-sends/pace.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { keptWrites } from '#test/helpers/writes.ts'

t.setTimeout(fileTimeoutMs)

t.test('a rate is never zero, never above the usual one, and only grows with time', async () => {
  const at = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
  const ms = fc.integer({ min: -3_600_000, max: 3_600_000 })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: bulkPerSecond }),
      at,
      ms,
      fc.nat(600_000),
      (perSecond, from, afterMs, more) => {
        const slowed = { perSecond, slowedAt: from.toISOString(), setPerSecond: null }
        const now = paceAt(slowed, from.getTime() + afterMs)
        if (now < 1 || now > bulkPerSecond) throw new Error(String(now))
        if (paceAt(slowed, from.getTime() + afterMs + more) < now) throw new Error('slower by waiting')
      },
    ),
  )
})

t.test('a refused request counts by its start, and a clock set back has no effect', async t => {
  const slowed = { perSecond: 10, slowedAt: '2026-11-25T12:00:00.000Z' }
  const at = (time: string) => `2026-11-25T${time}.000Z`
  const known = (attemptedAt: string, now: string) => isKnown(slowed, at(attemptedAt), Date.parse(at(now)))
  t.equal(known('11:59:58', '12:00:01'), true)
  t.equal(known('11:59:58', '12:05:00'), true, 'however late its answer comes')
  t.equal(known('12:00:09', '12:00:40'), true)
  t.equal(known('12:00:11', '12:00:11'), false)
  t.equal(known('11:00:01', '11:00:02'), false, 'the clock was put back since')
  t.equal(known('13:00:00', '12:00:02'), true, 'the clock was put back while it was under way')
  t.equal(isKnown(undefined, at('12:00:00'), Date.parse(at('12:00:00'))), false)
})

t.test('late refusals of concurrent requests slow a number down once', async t => {
  const { backend, owner, create, report } = await stage(t)
  const { databases, clock } = backend
  const send = await create({ audience: { numbers: phones(2).join('\n') } })
  await backend.settle()
  const { id: connectionId } = await databases.read
    .selectFrom('wa_connection')
    .select('id')
    .where('org_id', '=', owner.org.id)
    .executeTakeFirstOrThrow()
  const writes = keptWrites({ databases, clock })
  writes.listeners.inTransaction(createBulkPace({ clock }).listener)
  const began = clock.now().toISOString()
  const refuse = async (attemptedAt: string) => {
    const data = { connectionId, until: clock.now().toISOString(), attemptedAt }
    await writes.tell(owner.org.id, async write => write.emit({ type: 'connection.paused', data }))
    return (await report(send)).perSecond
  }
  t.equal(await refuse(began), bulkPerSecond / 2)
  clock.advance(14_000)
  t.equal(await refuse(began), bulkPerSecond / 2)
  t.equal(await refuse(clock.now().toISOString()), bulkPerSecond / 4, 'what began since is news')
})

t.test('a throttled number continues at half the rate, recovers after a while, and skips nobody', async t => {
  const { create, report, backend, later, ask, taken } = await stage(t)
  const send = await create({ audience: { numbers: phones(120).join('\n') } })
  await backend.settle()
  t.match(await report(send), { state: 'ready', perSecond: bulkPerSecond })
  for (let i = 0; i < 3; i += 1) await ask('POST', '/sandbox/fail', { code: '130429' })
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/start`)
  await backend.settle()
  for (let i = 0; i < 3; i += 1) await later(1_000)
  t.equal((await report(send)).perSecond, bulkPerSecond / 2, 'what was refused together counts once')
  for (let i = 0; i < 30; i += 1) await later(1_000)
  t.ok((await report(send)).perSecond > bulkPerSecond / 2)
  for (let i = 0; i < 12; i += 1) await later(20_000)
  t.match(await report(send), { state: 'completed', perSecond: bulkPerSecond, counts: { planned: 0, failed: 0 } })
  t.equal((await taken()).length, 120)
  t.same(backend.errors(), [])
})

t.test('a fast send does not pause for a second after its first recipients', async t => {
  const { create, backend, later, taken, ask } = await stage(t)
  await ask('PUT' as 'POST', '/whatsapp/bulk-pace', { perSecond: 1000 })
  const send = await create({ audience: { numbers: phones(200).join('\n') } })
  await backend.settle()
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/start`)
  for (let i = 0; i < 8; i += 1) await later(60)
  t.equal((await taken()).length, 200)
})

t.test('cancelling takes back everything queued, however much a paused number has accumulated', async t => {
  const { create, report, backend, owner, later, taken, ask } = await stage(t)
  const { databases, clock } = backend
  await ask('PUT' as 'POST', '/whatsapp/bulk-pace', { perSecond: 1000 })
  const { id: connectionId } = await databases.read
    .selectFrom('wa_connection')
    .select('id')
    .where('org_id', '=', owner.org.id)
    .executeTakeFirstOrThrow()
  const rest = { orgId: owner.org.id, paceKey: numberKey(connectionId), until: isoIn(clock, 60_000) }
  await restUntil(databases.write, rest)
  const send = await create({ audience: { numbers: phones(1000).join('\n') }, startIfPlanned: 1000 })
  await backend.settle()
  for (let i = 0; i < 16; i += 1) await later(1_100)
  t.match((await report(send)).counts, { planned: 1000 - maxQueued, queued: maxQueued })
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/cancel`)
  await later(60_000)
  t.match((await report(send)).counts, { planned: 1000 - maxQueued, queued: 0, sent: 0 })
  t.same(await taken(), [])
})
