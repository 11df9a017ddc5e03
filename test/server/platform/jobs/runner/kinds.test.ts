import t from 'tap'
import { gapMsOf, retriesWithinMs } from '#server/platform/jobs/job.ts'
import { queueOf } from '#server/platform/jobs/lane.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'

const dayMs = 86_400_000

t.test('each kind of job states how far ahead it is scheduled, and whether it may run early', async t => {
  const { parts: backend } = await startBackend(t)
  const kinds = backend.jobs.kinds()
  t.ok(kinds.length > 40)
  for (const kind of kinds) {
    t.ok(kind.looksWithinMs > 0 && kind.looksWithinMs <= 999 * dayMs, kind.name)
    const gaps = Array.from({ length: 60 }, (_, i) => gapMsOf(kind, i + 1))
    if (kind.lost === undefined || kind.gapsMs)
      t.ok(retriesWithinMs(kind) >= Math.max(...gaps), `${kind.name}: its gaps`)
  }
  const keeping = kinds.flatMap(({ name, keepsTime }) => (keepsTime ? [`${name} ${keepsTime}`] : []))
  t.same(keeping.sort(), [
    'bulkSends.start chosen',
    'conversation.release fromAdding',
    'flows.timer fromAdding',
    'inbox.scheduledMessage chosen',
    'inbox.snooze chosen',
    'organization.deletion chosen',
    'outbox.unconfirmed fromAdding',
    'stats.reportDue chosen',
  ])
})

/** A payload of no kind: a job that runs is parked because of it. */
const unreadable = '"unreadable"'

t.test('a clock that jumps a day ahead and back delays no kind of job beyond its longest wait', async t => {
  const clock = handClock()
  const { parts: backend, databases, settle } = await startBackend(t, { clock })
  await settle()
  const first = await databases.read.selectFrom('job').select('seq').execute()
  clock.advance(dayMs)
  await backend.jobs.idle()
  const added = clock.now().getTime()
  const iso = (ms: number) => new Date(ms).toISOString()
  const kinds = new Map(backend.jobs.kinds().map(kind => [kind.name, kind]))
  for (const kind of kinds.values()) {
    const row = (state: 'scheduled' | 'retrying', afterMs: number) => ({
      ...{ org_id: 'org', kind: kind.name, lane: 1, pace_key: '', payload: unreadable, blocked: 0, state },
      ...{ queue: queueOf({ kind: kind.name, lane: 'bot', orgId: 'org', paceKey: '' }), order_key: null },
      ...{ unique_key: null, owner: null, reason: null, finished_at: null, attempts: state === 'retrying' ? 1 : 0 },
      ...{ due_at: iso(added + afterMs), added_at: iso(added) },
    })
    const rows = [
      row('scheduled', Math.min(5_000, kind.looksWithinMs)),
      row('scheduled', kind.looksWithinMs),
      row('retrying', retriesWithinMs(kind)),
    ]
    await databases.write.insertInto('job').values(rows).execute()
  }
  clock.advance(-dayMs)
  await backend.jobs.idle()
  const now = clock.now().getTime()
  const known = first.map(({ seq }) => seq)
  const rows = await databases.read.selectFrom('job').selectAll().where('org_id', '=', 'org').execute()
  t.ok(rows.length >= kinds.size * 3)
  for (const row of rows.filter(({ seq }) => !known.includes(seq))) {
    const kind = kinds.get(row.kind)
    const waitsMs = Date.parse(row.due_at) - now
    const says = `${row.kind} ${row.state} ${waitsMs / 1000} s`
    if (!kind?.keepsTime || row.attempts > 0) t.equal(row.state, 'parked', says)
    else if (kind.keepsTime === 'fromAdding') t.ok([5_000, kind.looksWithinMs].includes(waitsMs), says)
    else t.ok(waitsMs <= kind.looksWithinMs, says)
  }
})
