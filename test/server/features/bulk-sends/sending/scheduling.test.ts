/** A bulk send that starts by itself at its time, through the public API, with a manual clock. */
import t, { type Test } from 'tap'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { aBulkStage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const hourMs = 3_600_000

const stage = async (t: Test) => {
  const made = await aBulkStage(t)
  const { ask, create, backend, phones } = made
  const inHours = (hours: number) => new Date(backend.clock.now().getTime() + hours * hourMs).toISOString()
  const scheduled = async (startAt: string) => {
    const send = await create({ audience: { numbers: phones(3).join('\n') }, startIfPlanned: 3, startAt })
    await backend.settle()
    return send
  }
  const step = (send: { id: string }, name: string, body?: object) =>
    ask<BulkSend & { code?: string; details?: unknown }>('POST', `/whatsapp/bulk-sends/${send.id}/${name}`, body)
  return { ...made, inHours, scheduled, step }
}

t.test('it starts at its time and not before', async t => {
  const { report, scheduled, inHours, later, taken, backend } = await stage(t)
  const startAt = inHours(2)
  const send = await scheduled(startAt)
  t.match(await report(send), { state: 'scheduled', startsAt: startAt, startedAt: null })
  await later(2 * hourMs - 1000)
  t.equal((await taken()).length, 0)
  await later(2000)
  t.match(await report(send), { state: 'completed' })
  t.equal((await taken()).length, 3)
  t.same(backend.errors(), [])
})

t.test('rescheduled, it starts only at the new time', async t => {
  const { report, scheduled, step, inHours, later, taken } = await stage(t)
  const send = await scheduled(inHours(1))
  t.match(await step(send, 'schedule', { startAt: inHours(5) }), { status: 200, json: { state: 'scheduled' } })
  await later(2 * hourMs)
  t.equal((await report(send)).state, 'scheduled')
  t.equal((await taken()).length, 0)
  await later(4 * hourMs)
  t.equal((await report(send)).state, 'completed')
  t.ok((await taken()).every(({ count }) => Number(count) === 1))
})

t.test('unscheduled, it waits; scheduled again for the same time, it starts then', async t => {
  const { report, scheduled, step, inHours, later, taken } = await stage(t)
  const startAt = inHours(1)
  const send = await scheduled(startAt)
  t.match((await step(send, 'unschedule')).json, { state: 'ready', startsAt: null })
  await step(send, 'schedule', { startAt })
  await step(send, 'unschedule')
  await later(2 * hourMs)
  t.equal((await report(send)).state, 'ready')
  t.equal((await taken()).length, 0)
  const again = inHours(1)
  await step(send, 'schedule', { startAt: again })
  await step(send, 'unschedule')
  await step(send, 'schedule', { startAt: again })
  await later(2 * hourMs)
  t.equal((await report(send)).state, 'completed')
})

t.test('a send started by hand or cancelled does nothing at its scheduled time', async t => {
  const { report, scheduled, step, inHours, later, taken, backend } = await stage(t)
  const now = await scheduled(inHours(1))
  await step(now, 'start')
  await backend.settle()
  t.equal((await report(now)).state, 'completed')
  const never = await scheduled(inHours(1))
  await step(never, 'cancel')
  await later(2 * hourMs)
  t.equal((await report(never)).state, 'cancelled')
  t.ok((await taken()).every(({ count }) => Number(count) === 1))
})

t.test('a send that fell due while nothing ran starts as soon as a process runs', async t => {
  const { report, scheduled, inHours, backend, later } = await stage(t)
  const send = await scheduled(inHours(1))
  backend.clock.advance(30 * hourMs)
  await later(0)
  t.equal((await report(send)).state, 'completed')
})

t.test('a time that passed while the plan was written does not hold it back', async t => {
  const { create, phones, report, backend, inHours } = await stage(t)
  const startAt = inHours(1 / 3600)
  const send = await create({ audience: { numbers: phones(3).join('\n') }, startIfPlanned: 3, startAt })
  backend.clock.advance(5000)
  await backend.settle()
  t.equal((await report(send)).state, 'completed')
})

t.test('a time is stored as UTC, whatever its offset', async t => {
  const { scheduled, report, inHours } = await stage(t)
  const at = Date.parse(inHours(6))
  const local = new Date(at - 3 * hourMs).toISOString().replace('Z', '-03:00')
  t.equal((await report(await scheduled(local))).startsAt, new Date(at).toISOString())
})

t.test('an invalid, past or distant time is refused by name and changes nothing', async t => {
  const { ask, scheduled, step, report, inHours } = await stage(t)
  const startAt = inHours(1)
  const send = await scheduled(startAt)
  const faults = [
    ['mañana', 'time'],
    ['2026-11-23T09:30', 'time'],
    ['2026-13-45T09:30:00Z', 'time'],
    [inHours(-1), 'timePast'],
    [inHours(24 * 366), 'timeFar'],
  ] as const
  for (const [wrong, code] of faults)
    t.match(await step(send, 'schedule', { startAt: wrong }), {
      status: 400,
      json: { details: [{ field: 'body.startAt', code }] },
    })
  t.match(await report(send), { state: 'scheduled', startsAt: startAt })
  t.match(await ask('POST', '/whatsapp/bulk-sends/aaaaaaaaaaaaaaaaaaaaaaaa/schedule', { startAt }), { status: 404 })
})

t.test('a running send, or one without recipients, cannot be scheduled', async t => {
  const { create, scheduled, step, backend, inHours } = await stage(t)
  const done = await scheduled(inHours(1))
  await step(done, 'start')
  await backend.settle()
  t.match(await step(done, 'schedule', { startAt: inHours(2) }), {
    status: 409,
    json: { code: 'BULK_SENDS_WRONG_STATE' },
  })
  const nobody = await create({ audience: { numbers: 'nadie' } })
  await backend.settle()
  t.match(await step(nobody, 'schedule', { startAt: inHours(2) }), { status: 409, json: { code: 'BULK_SENDS_NOBODY' } })
})

t.test('a preparation that throws is retried after a pause, not at once', async t => {
  const { create, report, later, backend, phones, owner } = await stage(t)
  const { databases, clock } = backend
  const send = await create({ audience: { numbers: phones(3).join('\n') } })
  await backend.settle()
  await databases.write.updateTable('bulk_send').set({ state: 'preparing', request: '{', planned: 0 }).execute()
  const kind = 'bulkSends.prepare'
  const orgId = owner.org.id
  const at = clock.now().toISOString()
  const job = { org_id: orgId, kind, lane: 2, queue: `${kind}/2/${orgId}/`, pace_key: '', state: 'waiting' as const }
  const payload = JSON.stringify({ sendId: send.id })
  await databases.write
    .insertInto('job')
    .values({ ...job, payload, unique_key: send.id, blocked: 0, attempts: 0, due_at: at, added_at: at })
    .execute()
  const tried = () =>
    databases.read.selectFrom('job').select(['state', 'attempts']).where('kind', '=', kind).executeTakeFirstOrThrow()
  await later(1)
  t.match(await tried(), { state: 'retrying', attempts: 1 })
  await later(60_000)
  t.match(await tried(), { state: 'retrying', attempts: 2 })
  t.equal((await report(send)).state, 'preparing')
})
