import t, { type Test } from 'tap'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Ended } from '#server/platform/jobs/outcomes/end-store.ts'
import type { JobRow } from '#server/platform/jobs/rows/add-store.ts'
import { jobStore } from '#server/platform/jobs/store.ts'

const at = (seconds: number) => new Date(Date.parse('2026-11-22T10:00:00.000Z') + seconds * 1000).toISOString()
const queueOf = (lane: number, orgId: string, paceKey = '') => `test/${lane}/${orgId}/${paceKey}`

const aRow = (facts: Partial<JobRow> = {}): JobRow => {
  const { lane = 1, orgId = 'a', paceKey = '', orderKey = null, state = 'waiting' } = facts
  return {
    kind: 'test',
    queue: queueOf(lane, orgId, paceKey),
    uniqueKey: null,
    payload: '{}',
    dueAt: at(0),
    addedAt: at(0),
    trace: null,
    ...facts,
    lane,
    orgId,
    paceKey,
    orderKey,
    state,
    blocked: state === 'waiting' && orderKey !== null ? 1 : 0,
  }
}

/** A live process in each test. */
const atWork = ['me', 'one', 'two', 'three']

const done = (seq: number): Ended => ({ seq, to: { state: 'done', isKept: true } })

/** A store with live processes, and short forms of its calls. */
const stageOn = async (databases: Databases) => {
  const store = jobStore
  for (const id of atWork) await store.insertWorker(databases.write, { id, host: null, pid: 1, seenAt: at(0) })
  const add = (...rows: JobRow[]) => inTransaction(databases, trx => store.add(trx, rows))
  const claim = (limit: number, owner = 'me', queue = queueOf(1, 'a')) =>
    inTransaction(databases, trx => store.claim(trx, [{ queue, limit }], { owner }))
  const end = (owner: string, ...ended: Ended[]) => inTransaction(databases, trx => store.end(trx, owner, ended, at(1)))
  const payloads = async (...args: Parameters<typeof claim>) => (await claim(...args)).map(row => row.payload)
  return { databases, store, add, claim, end, payloads }
}

type Case = (title: string, check: (t: Test) => Promise<void>) => void
type OpenStage = (t: Test) => ReturnType<typeof stageOn>

function claimingConforms(test: Case, claimOf: OpenStage): void {
  test('a job added as claimed needs an empty line, runs, and is found by its unique key', async t => {
    const { databases, store, add, claim, end } = await claimOf(t)
    await add(aRow({ orderKey: 'waits', uniqueKey: 'w' }), aRow({ orderKey: 'runs', uniqueKey: 'r' }))
    const [first] = await claim(1)
    const mayBegin = (lane: number, owner: string) => store.mayBegin(databases.read, queueOf(lane, 'a'), { owner })
    t.same([await mayBegin(1, 'me'), await mayBegin(2, 'me')], [false, true], 'an earlier job of the first order waits')
    t.equal(await mayBegin(2, 'given up'), false)
    const asRunning = (...rows: JobRow[]) =>
      inTransaction(databases, trx => store.addRunning(trx, rows, { owner: 'me' }))
    const begun = await asRunning(
      aRow({ lane: 2, orderKey: 'waits', uniqueKey: 'behind the first that waits' }),
      aRow({ lane: 0, orderKey: 'runs', uniqueKey: 'ahead of one that runs' }),
      aRow({ lane: 2, orderKey: 'free', uniqueKey: '1' }),
      aRow({ lane: 2, orderKey: 'free', uniqueKey: 'second of its line' }),
      aRow({ orderKey: 'other', uniqueKey: 'w' }),
      aRow({ orgId: 'b', orderKey: 'waits', uniqueKey: '2' }),
      aRow({ uniqueKey: '3' }),
    )
    t.same([...begun.keys()].sort(), ['1', '2', '3'])
    const rows = await databases.read
      .selectFrom('job')
      .select(['seq', 'unique_key', 'state', 'owner', 'attempts', 'blocked', 'lane'])
      .where('unique_key', 'in', ['1', '2', '3'])
      .orderBy('unique_key')
      .execute()
    t.same(
      rows.map(row => [row.unique_key, Number(row.lane)]),
      [
        ['1', 2],
        ['2', 1],
        ['3', 1],
      ],
    )
    for (const { seq, unique_key: key, ...row } of rows) {
      t.match(row, { state: 'running', owner: 'me', attempts: 1, blocked: 0 })
      t.equal(begun.get(key as string), seq)
    }
    t.equal((await asRunning()).size, 0)
    await add(aRow({ lane: 2, orderKey: 'free', uniqueKey: 'next', payload: 'next' }))
    t.same(await claim(9, 'me', queueOf(2, 'a')), [], 'it waits behind the running one')
    await end('me', done(begun.get('1') as number), done((first as { seq: number }).seq))
    t.match(await claim(9, 'me', queueOf(2, 'a')), [{ payload: 'next' }])
  })

  test('the first job of each order key is free unless another one waits or runs', async t => {
    const { databases, store, add } = await claimOf(t)
    await add(aRow({ orderKey: 'waits', uniqueKey: 'w' }))
    const rows = [
      aRow({ lane: 2, orderKey: 'waits', uniqueKey: 'behind the first that waits' }),
      aRow({ lane: 2, orderKey: 'free', uniqueKey: '1' }),
      aRow({ lane: 2, orderKey: 'free', uniqueKey: 'second of its line' }),
      aRow({ lane: 2, uniqueKey: '2' }),
      aRow({ orgId: 'b', orderKey: 'waits', uniqueKey: '3' }),
    ]
    const free = await inTransaction(databases, trx => store.listFree(trx, rows.slice(0, 4)))
    t.same(
      free.map(({ uniqueKey }) => uniqueKey),
      ['1', '2'],
    )
    t.equal((await inTransaction(databases, trx => store.listFree(trx, rows.slice(4)))).length, 1)
  })

  test('a job that restarts at once is due behind others that are due', async t => {
    const { add, claim, end, databases } = await claimOf(t)
    await add(aRow({ orderKey: 'k', payload: 'again' }), aRow({ payload: 'other' }))
    const [first] = await claim(1)
    const seq = (first as { seq: number }).seq
    t.same(await end('somebody else', { seq, to: { state: 'waiting', isAnew: true } }), new Set())
    t.same(await end('me', { seq, to: { state: 'waiting', isAnew: true } }), new Set([seq]))
    const row = await databases.read.selectFrom('job').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow()
    t.match(row, { state: 'waiting', owner: null, attempts: 0, due_at: at(1), blocked: 0 })
    t.match(await claim(2), [{ payload: 'again', attempts: 1 }, { payload: 'other' }])
  })

  test('the job of a queue that is due longest is claimed first, up to the limit, and counts an attempt', async t => {
    const { add, claim } = await claimOf(t)
    t.equal(
      await add(aRow({ payload: '2', dueAt: at(2) }), aRow({ payload: '1', dueAt: at(1) }), aRow({ payload: '3' })),
      3,
    )
    const rows = await claim(2)
    t.same(rows.map(row => [row.payload, row.attempts]).sort(), [
      ['1', 1],
      ['3', 1],
    ])
    t.same(
      (await claim(5)).map(row => row.payload),
      ['2'],
    )
    t.same(await claim(5), [])
  })

  test('concurrent claims never take the same row, and leave none', async t => {
    const { add, claim } = await claimOf(t)
    await add(...Array.from({ length: 60 }, (_, i) => aRow({ payload: String(i) })))
    const taken = await Promise.all(Array.from({ length: 6 }, (_, i) => claim(15, `process ${i}`)))
    const rest = await claim(60)
    const all = [...taken, rest].flat().map(row => row.payload)
    t.equal(all.length, 60)
    t.equal(new Set(all).size, 60)
  })

  test('one job of a key runs at a time; higher lanes go first', async t => {
    const { add, claim, end } = await claimOf(t)
    const keyed = (payload: string, lane = 1) => aRow({ payload, lane, orderKey: 'k' })
    await add(keyed('bulk', 2), keyed('first'), keyed('second'))
    const taken = await Promise.all([claim(5, 'one'), claim(5, 'two'), claim(5, 'three', queueOf(2, 'a'))])
    t.same(
      taken.flat().map(row => row.payload),
      ['first'],
    )
    const owner = ['one', 'two'][taken.findIndex(rows => rows.length)] as string
    await add(keyed('person', 0))
    t.same(await claim(5, 'one', queueOf(0, 'a')), [], 'what runs is not overtaken')
    t.ok((await end(owner, done(taken.flat()[0]?.seq as number))).size)
    t.same(await claim(5), [])
    const [person] = await claim(5, 'one', queueOf(0, 'a'))
    t.equal(person?.payload, 'person')
    await end('one', done(person?.seq as number))
    t.same(
      (await claim(5)).map(row => row.payload),
      ['second'],
    )
    t.same(await claim(5, 'one', queueOf(2, 'a')), [])
  })

  test('equal keys of two organizations are independent', async t => {
    const { add, claim } = await claimOf(t)
    await add(aRow({ orderKey: 'k', uniqueKey: 'u' }), aRow({ orderKey: 'k', uniqueKey: 'u', orgId: 'b' }))
    t.equal((await claim(5)).length, 1)
    t.equal((await claim(5, 'me', queueOf(1, 'b'))).length, 1)
  })

  test('a job that keeps its place blocks those behind it; one that gives it up does not', async t => {
    const { databases, store, add, claim, end, payloads } = await claimOf(t)
    await add(aRow({ payload: '1', orderKey: 'k' }), aRow({ payload: '2', orderKey: 'k' }))
    const [first] = await claim(1)
    const seq = first?.seq as number
    await end('me', { seq, to: { state: 'retrying', dueAt: at(60), reason: 'once' } })
    t.same(await payloads(5), [])
    t.equal(await store.nextDueAt(databases.read), at(60))
    t.equal(await inTransaction(databases, trx => store.stageDue(trx, at(59), 10)), 0)
    t.equal(await inTransaction(databases, trx => store.stageDue(trx, at(60), 10)), 1)
    t.same(await payloads(5), ['1'])
    await end('me', { seq, to: { state: 'scheduled', dueAt: at(120), reason: 'not now' } })
    t.same(await payloads(5), ['2'])
  })

  test('queues with something to claim are listed by name, each once', async t => {
    const { databases, store, add, claim } = await claimOf(t)
    await add(aRow({ orgId: 'b' }), aRow({ orgId: 'a' }), aRow({ orgId: 'a' }), aRow({ orgId: 'c', lane: 2 }))
    await add(aRow({ orgId: 'd', state: 'scheduled', dueAt: at(60) }))
    const list = (after: string, limit = 10) => store.listQueues(databases.read, { after, end: 'test/10', limit })
    t.same(await list('test/1/'), [queueOf(1, 'a'), queueOf(1, 'b')])
    t.same(await list('test/1/', 1), [queueOf(1, 'a')])
    t.same(await list(queueOf(1, 'a')), [queueOf(1, 'b')])
    t.equal(await store.findNextQueue(databases.read, 'test/10'), queueOf(2, 'c'))
    await claim(5)
    t.same(await list('test/1/'), [queueOf(1, 'b')])
  })
}

function changingConforms(test: Case, claimOf: OpenStage): void {
  test('jobs of some kinds that are due by a time become due now, and their rate limits are cleared', async t => {
    const { databases, store, add, payloads } = await claimOf(t)
    await add(
      aRow({ payload: 'soon', state: 'scheduled', dueAt: at(60) }),
      aRow({ payload: 'once more', state: 'scheduled', dueAt: at(50) }),
      aRow({ payload: 'later', state: 'scheduled', dueAt: at(61) }),
      aRow({ payload: 'another', state: 'scheduled', dueAt: at(50), kind: 'other' }),
    )
    const which = { kinds: ['test'], now: at(0), until: at(60), limit: 1 }
    t.equal(await store.callBack(databases.write, which), 1, 'no more than asked for')
    t.equal(await store.callBack(databases.write, which), 1)
    t.equal(await store.callBack(databases.write, which), 0)
    t.equal(await store.callBack(databases.write, { ...which, kinds: [] }), 0)
    t.equal(await inTransaction(databases, trx => store.stageDue(trx, at(0), 10)), 2)
    t.same((await payloads(5)).toSorted(), ['once more', 'soon'])
    for (const [paceKey, seconds] of [
      ['near', 60],
      ['far', 61],
    ] as const)
      await store.restUntil(databases.write, { orgId: 'a', paceKey, until: at(seconds) })
    await store.freePaces(databases.write, { now: at(0), until: at(60) })
    const keys = ['near', 'far'].map(paceKey => ({ orgId: 'a', paceKey }))
    const paces = await inTransaction(databases, trx => store.listPaces(trx, keys))
    t.same(Object.fromEntries(paces.map(({ paceKey, freeAt }) => [paceKey, freeAt])), { near: at(0), far: at(61) })
  })

  test('a failed transaction adds, claims and ends nothing', async t => {
    const { databases, store, add, claim } = await claimOf(t)
    await add(aRow({ payload: '1' }))
    await t.rejects(
      inTransaction(databases, async trx => {
        await store.add(trx, [aRow({ payload: '2' })])
        await store.claim(trx, [{ queue: queueOf(1, 'a'), limit: 5 }], { owner: 'me' })
        throw new Error('no')
      }),
      /no/,
    )
    t.same(
      (await claim(5)).map(row => [row.payload, row.attempts]),
      [['1', 1]],
    )
  })

  test('a unique key exists once while its job is unfinished, with concurrent adds too', async t => {
    const { add, claim, end } = await claimOf(t)
    const counts = await Promise.all(Array.from({ length: 5 }, () => add(aRow({ uniqueKey: 'u' }))))
    t.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    )
    const [row] = await claim(5)
    t.equal(await add(aRow({ uniqueKey: 'u' })), 0)
    await end('me', done(row?.seq as number))
    t.equal(await add(aRow({ uniqueKey: 'u' })), 1)
  })

  test('waiting jobs of a pace key are cancelled by page', async t => {
    const { databases, store, add, claim } = await claimOf(t)
    const row = (key: string, facts: Partial<JobRow> = {}) =>
      aRow({ payload: key, uniqueKey: key, paceKey: 'p', ...facts })
    await add(row('1'), row('2', { paceKey: 'q' }), row('3'), row('4', { state: 'scheduled', dueAt: at(60) }), row('5'))
    await add(row('3', { orgId: 'b' }), aRow({ paceKey: 'p' }), row('6'))
    const [running] = await claim(1, 'me', queueOf(1, 'a', 'p'))
    t.equal(running?.payload, '1')
    const next = (after: string, before: number) =>
      inTransaction(databases, trx =>
        store.cancelPaced(trx, 'a', { kind: 'test', paceKey: 'p', after, before, limit: 2 }, at(1)),
      )
    const last = await databases.read.selectFrom('job').select('seq').where('unique_key', '=', '6').executeTakeFirst()
    const before = last?.seq as number
    t.same(await next('', before), ['3', '4'])
    t.same(await next('4', before), ['5'], 'not what was added later')
    t.same(await next('5', before), [])
    const left = await databases.read.selectFrom('job').select('payload').where('state', '<>', 'cancelled').execute()
    t.same(left.map(({ payload }) => payload).sort(), ['1', '2', '3', '6', '{}'])
  })

  test('waiting jobs can be cancelled, and scheduled ones made due at once', async t => {
    const { databases, store, add, claim, end } = await claimOf(t)
    const which = { kind: 'test' }
    await add(aRow({ payload: '1', uniqueKey: '1' }), aRow({ payload: '2', uniqueKey: '2' }))
    const [first] = await claim(1)
    const inTrx = <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(databases, work)
    t.same(await inTrx(trx => store.cancelWaiting(trx, 'a', { ...which, uniqueKeys: ['2'] }, at(1))), ['2'])
    await end('me', {
      seq: first?.seq as number,
      to: { state: 'scheduled', dueAt: at(600), reason: 'X', isUncounted: true },
    })
    t.equal(await inTrx(trx => store.hasten(trx, 'a', { ...which, reason: 'Y' }, at(2))), 0)
    t.equal(await inTrx(trx => store.hasten(trx, 'a', { ...which, reason: 'X' }, at(2))), 1)
    t.equal(await inTrx(trx => store.hasten(trx, 'a', which, at(1))), 1, 'whatever it waits for')
    t.equal(await inTrx(trx => store.stageDue(trx, at(2), 10)), 1)
    const [again] = await claim(5)
    t.match(again, { payload: '1', attempts: 1 })
    t.equal(await inTrx(trx => store.cancel(trx, 'a', which, at(3))), 1)
    t.equal((await end('me', done(first?.seq as number))).size, 0, 'how it ends counts for nothing')
  })

  test('a scheduled job is replaced in its place, and no other job is', async t => {
    const { databases, store, add, claim } = await claimOf(t)
    const inTrx = <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(databases, work)
    const later = (uniqueKey: string, facts: Partial<JobRow> = {}) =>
      aRow({ uniqueKey, payload: uniqueKey, state: 'scheduled', dueAt: at(600), orderKey: 'k', ...facts })
    await add(
      later('then'),
      later('other', { orderKey: 'l' }),
      later('theirs', { orgId: 'b' }),
      aRow({ uniqueKey: 'now', payload: 'now' }),
    )
    const to = (uniqueKey: string) => ({ uniqueKey, payload: uniqueKey, dueAt: at(2), addedAt: at(1) })
    const move = async (...keys: string[]) => {
      const changes = keys.map((uniqueKey, i) => ({ uniqueKey, next: to(`next${i || ''}`) }))
      return [...(await inTrx(trx => store.reschedule(trx, 'a', 'test', changes)))]
    }
    t.same(await move('theirs'), [], "not a neighbour's")
    t.same(await move('now'), [], 'not one that waits its turn')
    t.same(await move('nobody'), [])
    t.same(await move(), [])
    t.same(await move('then', 'nobody', 'other'), ['then', 'other'], 'many at once, each becomes its own')
    t.same(await move('then'), [], 'it is known by its new key')
    t.equal(await inTrx(trx => store.stageDue(trx, at(3), 10)), 2)
    t.same((await claim(5)).map(({ payload }) => payload).sort(), ['next', 'next2', 'now'])
  })

  test('jobs due later are moved earlier by page, only those of the organization', async t => {
    const { databases, store, add } = await claimOf(t)
    const later = (payload: string, facts: Partial<JobRow> = {}) =>
      aRow({ payload, state: 'scheduled', dueAt: at(600), ...facts })
    await add(later('1'), later('2'), later('3'), aRow({ payload: 'now' }))
    await add(
      later('younger', { addedAt: at(60) }),
      later('neighbour', { orgId: 'b' }),
      later('other', { kind: 'other' }),
    )
    const page = { kind: 'test', limit: 2, addedBy: at(30), ms: 500_000 }
    const next = (after: number) => inTransaction(databases, trx => store.bringForward(trx, 'a', { ...page, after }))
    const first = await next(0)
    t.equal(first.count, 2)
    const second = await next(first.last)
    t.equal(second.count, 1)
    t.same(await next(second.last), { count: 0, last: second.last })
    const rows = await databases.read
      .selectFrom('job')
      .select(['payload', 'due_at', 'added_at'])
      .orderBy('seq')
      .execute()
    t.same(
      rows.map(row => [row.payload, row.due_at]),
      [
        ...['1', '2', '3'].map(payload => [payload, at(100)]),
        ['now', at(0)],
        ...['younger', 'neighbour', 'other'].map(payload => [payload, at(600)]),
      ],
    )
    t.equal(rows[0]?.added_at, at(-500))
  })

  test('all jobs of a kind are deleted in batches, and those behind them continue', async t => {
    const { databases, store, add, claim, end, payloads } = await claimOf(t)
    const keyed = (payload: string, kind = 'test') => aRow({ payload, kind, orderKey: 'k', queue: `${kind}/1/a/` })
    await add(keyed('1'), keyed('2'), keyed('behind', 'other'), aRow({ payload: 'neighbour', orgId: 'b' }))
    const [running] = await claim(1)
    const some = () => inTransaction(databases, trx => store.deleteKind(trx, 'a', { kind: 'test', limit: 1 }))
    t.same([await some(), await some(), await some()], [1, 1, 0])
    t.equal((await end('me', done(running?.seq as number))).size, 0, 'its result is ignored')
    t.same(await payloads(5, 'me', 'other/1/a/'), ['behind'])
    t.same(await payloads(5, 'me', queueOf(1, 'b')), ['neighbour'])
  })

  test('waiting jobs are counted by kind, with their oldest due time', async t => {
    const { databases, store, add, claim } = await claimOf(t)
    await add(aRow({ dueAt: at(5) }), aRow({ dueAt: at(7) }), aRow({ state: 'scheduled', dueAt: at(60) }))
    await claim(1)
    t.same(await store.count(databases.read, ['test', 'other'], at(30)), [
      { kind: 'test', waiting: 1, running: 1, scheduled: 1, parked: 0, oldestDueAt: at(7) },
      { kind: 'other', waiting: 0, running: 0, scheduled: 0, parked: 0, oldestDueAt: null },
    ])
  })
}

function processesConform(test: Case, claimOf: OpenStage): void {
  test('only its owner can end a job, and only once', async t => {
    const { add, claim, end } = await claimOf(t)
    await add(aRow())
    const [row] = await claim(1, 'one')
    const seq = row?.seq as number
    t.equal((await end('two', done(seq))).size, 0)
    t.same([...(await end('one', done(seq)))], [seq])
    t.equal((await end('one', done(seq))).size, 0)
  })

  test('jobs of a dead process are found, those of others are not', async t => {
    const { databases, store, add, claim } = await claimOf(t)
    await add(aRow({ payload: '1' }), aRow({ payload: '2' }))
    await claim(1, 'one')
    await claim(1, 'two')
    t.same(await store.listLost(databases.write, 10), [])
    t.ok(await store.beat(databases.write, 'one', at(5)))
    await store.forgetWorkers(databases.write, ['one'])
    t.notOk(await store.beat(databases.write, 'one', at(6)), 'it learns that it was given up')
    t.match(await store.listLost(databases.write, 10), [{ owner: 'one', payload: '1' }])
    await add(aRow({ payload: '3' }))
    t.same(await claim(1, 'one'), [], 'and takes nothing before it has')
    t.match(await claim(1, 'two'), [{ payload: '3' }])
  })

  test('one process has a lease until it is dead, with concurrent calls too', async t => {
    const { databases, store } = await claimOf(t)
    const taken = await Promise.all(['one', 'two', 'three'].map(id => store.takeLease(databases.write, 'journal', id)))
    t.equal(taken.filter(Boolean).length, 1)
    const holder = ['one', 'two', 'three'][taken.indexOf(true)] as string
    t.ok(await store.isLeaseHeld(databases.read, 'journal', holder))
    await store.forgetWorkers(databases.write, [holder])
    const heir = holder === 'one' ? 'two' : 'one'
    t.ok(await store.takeLease(databases.write, 'journal', heir))
    t.notOk(await store.isLeaseHeld(databases.read, 'journal', holder))
  })

  test('rates and pauses are stored; a later pause is not shortened by an earlier one', async t => {
    const { databases, store } = await claimOf(t)
    const key = { orgId: 'a', paceKey: 'number' }
    const rows = () => store.listPaces(databases.read, [key, { orgId: 'b', paceKey: 'number' }])
    await inTransaction(databases, trx => store.restUntil(trx, { ...key, until: at(60) }))
    await inTransaction(databases, trx => store.restUntil(trx, { ...key, until: at(30) }))
    t.same(await rows(), [{ ...key, perSecond: null, freeAt: at(60) }])
    await inTransaction(databases, trx => store.setPerSecond(trx, { ...key, perSecond: 80, now: at(0) }))
    t.match(await rows(), [{ perSecond: 80, freeAt: at(60) }])
    await inTransaction(databases, trx => store.savePaces(trx, [{ ...key, perSecond: 80, freeAt: at(90) }]))
    t.match(await rows(), [{ perSecond: 80, freeAt: at(90) }])
  })
}

/** What the runner needs from every engine. `open` gives a migrated, empty database. */
export function conformance(engineName: string, open: (t: Test) => Promise<Databases>): void {
  const claimOf: OpenStage = async t => stageOn(await open(t))
  const test: Case = (title, check) => void t.test(`${engineName}: ${title}`, check)
  claimingConforms(test, claimOf)
  changingConforms(test, claimOf)
  processesConform(test, claimOf)
}
