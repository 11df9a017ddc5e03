import t from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import { jobStore } from '#server/platform/jobs/store.ts'
import { aStage } from './stage.ts'

t.test('claiming, ending and ordering use indexes, however many jobs wait', async t => {
  const s = await aStage(t)
  const { add, jobs } = s.aProcess()
  await add('a', [{ word: 'x', orderKey: 'k' }])
  const said: string[] = []
  const { write } = s.databases.raw
  const prepare = write.prepare.bind(write)
  write.prepare = ((sql: string) => {
    if (/\bjob\b/.test(sql) && !/^explain/i.test(sql)) said.push(sql)
    return prepare(sql)
  }) as typeof write.prepare
  const quotas = ['test/0/a/', 'test/1/a/', 'test/2/a/'].map(queue => ({ queue, limit: 3 }))
  await inTransaction(s.databases, async trx => {
    await jobStore.insertWorker(trx, { id: 'me', host: null, pid: 1, seenAt: '2026-11-22T00:00:00.000Z' })
    t.equal(await jobStore.mayBegin(trx, 'test/2/a/', { owner: 'me' }), true)
    await jobStore.listQueues(trx, { after: 'test/0/', end: 'test/00', limit: 10 })
    const [row] = await jobStore.claim(trx, quotas, { owner: 'me' })
    t.ok(row)
    const seq = row?.seq as number
    await jobStore.end(trx, 'me', [{ seq, to: { state: 'done', isKept: true } }], '2026-11-22T00:00:00.000Z')
    await jobStore.stageDue(trx, '2026-11-22T00:00:00.000Z', 10)
    await jobStore.nextDueAt(trx)
    await jobStore.listLost(trx, 10)
    await jobStore.listRunningOf(trx, 'me', 10)
    const next = {
      uniqueKey: 'v',
      payload: '{}',
      dueAt: '2100-01-01T00:00:00.000Z',
      addedAt: '2026-11-22T00:00:00.000Z',
    }
    await jobStore.reschedule(trx, 'a', 'test', [{ uniqueKey: 'u', next }])
    const under = { kind: 'test', uniqueKeys: ['u'] }
    await jobStore.cancelWaiting(trx, 'a', under, '2026-11-22T00:00:00.000Z')
    await jobStore.cancel(trx, 'a', under, '2026-11-22T00:00:00.000Z')
    await jobStore.moveLine(trx, 'a', { from: 'k', to: 'l' })
    await jobStore.hasten(trx, 'a', { kind: 'test' }, '2026-11-22T00:00:00.000Z')
    const page = { kind: 'test', after: 0, limit: 10 }
    await jobStore.bringForward(trx, 'a', { ...page, addedBy: '2100-01-01T00:00:00.000Z', ms: 1 })
    const times = { now: '2026-11-22T00:00:00.000Z', until: '2026-11-22T00:01:00.000Z' }
    await jobStore.callBack(trx, { kinds: ['test'], ...times, limit: 10 })
    await jobStore.deleteKind(trx, 'a', page)
    const bound = { kind: 'test', state: 'scheduled', after: times.now } as const
    const both = { read: trx, write: trx }
    await jobStore.listKindsFarAhead(trx, [bound])
    await jobStore.callBackFarAhead(both, { ...bound, dueAt: times.now, limit: 10 })
    const added = { kind: 'test', now: times.now, addedBy: times.now, limit: 10 }
    await jobStore.bringBackAdded(both, { ...added, after: undefined })
    await jobStore.count(trx, ['test'], '2026-11-22T00:00:00.000Z')
  })
  await jobs.prune()
  t.ok(said.length > 8)
  const planOf = (sql: string): string[] => {
    const plan = prepare(`explain query plan ${sql}`).all(...Array(sql.split('?').length - 1).fill('0'))
    return (plan as { detail: string }[]).map(step => step.detail)
  }
  for (const sql of said) {
    const plan = planOf(sql)
    const scans = plan.filter(detail => /SCAN (?:job|j|e|line|mate|o)\b(?!.*USING)/.test(detail))
    t.same(scans, [], sql.slice(0, 60))
    if (/^update job set state = 'waiting'/.test(sql.trim())) {
      const text = plan.join('\n')
      t.match(text, /job_due/)
      t.notMatch(text, /USE TEMP B-TREE FOR ORDER BY/)
    }
    if (/^update job set state = 'running'/.test(sql.trim())) {
      const text = plan.join('\n')
      t.match(text, /job_ready \(queue=\?\)/)
      t.match(text, /job_line/)
      t.match(text, /job_running_key/)
      t.notMatch(text, /USE TEMP B-TREE FOR ORDER BY/)
    }
  }
  // Analyzed while empty, as in a database that was moved or restored.
  write.exec('delete from job; analyze job')
  const byKey = said.filter(sql => /\bunique_key in \(/.test(sql))
  t.ok(byKey.length)
  for (const sql of byKey)
    t.match(planOf(sql).join('\n'), /job_unique \(org_id=\? AND kind=\? AND unique_key=\?\)/, sql.slice(0, 60))
})
