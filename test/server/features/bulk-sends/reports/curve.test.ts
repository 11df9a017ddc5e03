/** The delivery curve of a send: its arithmetic, and as it is kept while statuses come. */
import t from 'tap'
import { curveDelta, curveEnd, curveOf } from '#server/features/bulk-sends/reports/curve.ts'
import { selectCurve } from '#server/features/bulk-sends/reports/curve-store.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { up as countReplies } from '../../../../../migrations/0050-replies-in-curves.ts'

t.setTimeout(fileTimeoutMs)

t.test('stretches grow with the time since the start, and end after eight days', async t => {
  const start = '2026-11-29T10:00:30.000Z'
  t.equal(curveEnd(start, start), '2026-11-29T10:01:30.000Z')
  t.equal(curveEnd(start, '2026-11-29T10:01:30.000Z'), '2026-11-29T10:02:30.000Z')
  t.equal(curveEnd(start, '2026-11-29T12:10:00.000Z'), '2026-11-29T12:15:30.000Z')
  t.equal(curveEnd(start, '2026-12-02T10:10:00.000Z'), '2026-12-02T11:00:30.000Z')
  t.equal(curveEnd(start, '2027-12-02T10:10:00.000Z'), '2026-12-07T10:00:30.000Z')
  t.equal(curveEnd(start, '2026-11-29T09:00:00.000Z'), '2026-11-29T10:01:30.000Z', 'clocks differ')
  const ends = new Set<string>()
  for (let ms = 0; ms < 9 * 86_400_000; ms += 30_000)
    ends.add(curveEnd(start, new Date(Date.parse(start) + ms).toISOString()))
  t.ok(ends.size < 460, `${ends.size} rows`)
})

t.test('who read it also got it, and many points are thinned to those that show the shape', async t => {
  const none = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 }
  t.same(curveDelta({ queued: -3, read: 2, replied: 1 }), { sent: 3, delivered: 3, read: 3, replied: 1, failed: 0 })
  t.same(curveDelta({ delivered: -1, read: 1 }), { ...none, read: 1 })
  t.same(curveDelta({ read: -1, replied: 1 }), { ...none, replied: 1 }, 'they had read it before')
  t.same(curveDelta({ queued: -1, unconfirmed: 1 }), { ...none, sent: 1 })
  t.same(curveDelta({ failed: -2, planned: 2 }), { ...none, failed: -2 })
  const [point] = curveOf([{ until: '0', sent: 3, delivered: 2, read: 1, replied: 1, failed: 2 }])
  t.match(point, { sent: 5, replied: 1, failed: 2 }, 'those that failed were sent, too')
  const many = Array.from({ length: 450 }, (_, i) => ({ ...none, until: String(i), sent: 1, failed: -1 }))
  const points = curveOf(many)
  t.ok(points.length <= 120)
  t.same(points.at(-1), { ...none, at: '449', sent: 450 })
})

t.test('a curve follows the counts of the send, and only grows', async t => {
  const { create, report, later, backend } = await stage(t)
  const send = await create({ audience: { numbers: phones(4).join('\n') }, startIfPlanned: 4 })
  for (let i = 0; i < 6; i += 1) await later(30_000)
  const { counts, curve } = await report(send)
  const read = counts.read + counts.replied
  t.ok(curve.length > 0)
  t.match(curve.at(-1), {
    sent: 4,
    delivered: counts.delivered + read,
    read,
    replied: counts.replied,
    failed: counts.failed,
  })
  for (const [i, point] of curve.entries()) t.ok(i === 0 || point.sent >= (curve[i - 1]?.sent ?? 0))
  t.same(backend.errors(), [])
})

t.test('replies from before curves had them count in the last stretch', async t => {
  const { create, report, later, backend } = await stage(t)
  const send = await create({ audience: { numbers: phones(3).join('\n') }, startIfPlanned: 3 })
  for (let i = 0; i < 6; i += 1) await later(30_000)
  const { write } = backend.databases
  await write.updateTable('bulk_send').set({ replied: 2 }).execute()
  await write.schema.alterTable('bulk_send_curve').dropColumn('replied').execute()
  await countReplies(write as never)
  const { curve } = await report(send)
  t.ok(curve.length > 0)
  t.match(
    curve.map(({ replied }) => replied),
    [...curve.slice(1).map(() => 0), 2],
  )
})

testOnSqlite('a curve is read by its key', async t => {
  const { backend } = await stage(t)
  const { sql, parameters } = selectCurve(backend.databases.read, 'x', 'y').compile()
  const plan = backend.databases.raw.read
    .prepare(`explain query plan ${sql}`)
    .all(...(parameters as string[]))
    .map(row => (row as { detail: string }).detail)
    .join(' ')
  t.match(plan, /SEARCH bulk_send_curve USING (PRIMARY KEY|INDEX \S+) \(send_id=\?\)/)
  t.notMatch(plan, 'TEMP B-TREE')
})
