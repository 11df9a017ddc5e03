import t from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { handClock } from '#test/helpers/clock.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { aStage, type Words } from './stage.ts'

t.test('a job added in a failed transaction does not exist', async t => {
  const { databases, aProcess, rows } = await aStage(t)
  const { jobs, queue } = aProcess()
  jobs.start()
  await t.rejects(
    inTransaction(databases, async trx => {
      await queue.add(trx, 'a', [{ payload: { word: 'no' } }])
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  await jobs.idle()
  t.same(await rows(), [])
})

t.test('many jobs run once each and are done', async t => {
  const seen: string[] = []
  const { aProcess, states, log } = await aStage(t)
  const { jobs, add } = aProcess({ run: async job => void seen.push(job.payload.word) })
  jobs.start()
  const words = Array.from({ length: 300 }, (_, i) => `w${i}`)
  t.equal(
    await add(
      'a',
      words.map(word => ({ word })),
    ),
    300,
  )
  await jobs.idle()
  t.same(seen.sort(), words.sort())
  t.ok((await states()).every(state => state === 'done'))
  t.same(log.lines('error'), [])
})

t.test('an invalid payload is refused, and nothing is added', async t => {
  const { databases, aProcess, rows } = await aStage(t)
  const { queue } = aProcess()
  const wrong = { word: 5 } as unknown as Words
  await t.rejects(
    inTransaction(databases, trx => queue.add(trx, 'a', [{ payload: { word: 'x' } }, { payload: wrong }])),
    /does not fit/,
  )
  t.same(await rows(), [])
})

t.test('a row that no longer matches its kind is parked and affects no other', async t => {
  const { databases, aProcess, rows } = await aStage(t)
  const { jobs, add } = aProcess()
  await add('a', [{ word: 'old' }, { word: 'new' }])
  await databases.write.updateTable('job').set({ payload: '{"words":[]}' }).where('seq', '=', 1).execute()
  jobs.start()
  await jobs.idle()
  t.match(await rows(), [{ state: 'parked', reason: 'PAYLOAD_UNREADABLE' }, { state: 'done' }])
})

t.test('a throwing job is retried with growing delays, then fails; others continue', async t => {
  const at: number[] = []
  const { aProcess, states, later, clock, log } = await aStage(t)
  const stage = aProcess({
    tries: 3,
    gapsMs: [1_000, 60_000],
    run: async ({ payload }) => {
      if (payload.word !== 'bad') return
      at.push(clock.now().getTime())
      throw new Error('no')
    },
  })
  stage.jobs.start()
  await stage.add('a', [{ word: 'bad' }, { word: 'good' }])
  await stage.jobs.idle()
  t.same(await states(), ['retrying', 'done'])
  await later(999, stage)
  t.equal(at.length, 1)
  await later(1, stage)
  await later(59_999, stage)
  t.equal(at.length, 2)
  await later(1, stage)
  t.equal(at.length, 3)
  t.same(await states(), ['failed', 'done'])
  t.equal(log.lines('error').length, 1)
})

t.test('a job months away waits for its time, and does not block others of its key', async t => {
  const seen: string[] = []
  const { aProcess, later, clock } = await aStage(t)
  const stage = aProcess({
    looksWithinMs: 100 * 86_400_000,
    keepsTime: 'chosen',
    run: async job => void seen.push(job.payload.word),
  })
  stage.jobs.start()
  const dueAt = new Date(clock.now().getTime() + 90 * 86_400_000).toISOString()
  await stage.add('a', [
    { word: 'later', dueAt, orderKey: 'k' },
    { word: 'now', orderKey: 'k' },
  ])
  await later(89 * 86_400_000, stage)
  t.same(seen, ['now'])
  await later(86_400_000, stage)
  t.same(seen, ['now', 'later'])
})

t.test('jobs of one key run one after another in order, also around a retried one', async t => {
  const seen: string[] = []
  let running = 0
  let fails = 1
  const { aProcess, later } = await aStage(t)
  const stage = aProcess({
    gapsMs: [1000],
    run: async job => {
      running += 1
      t.equal(running, 1, 'alone')
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      if (job.payload.word === 'w1' && fails-- > 0) throw new Error('once')
      seen.push(job.payload.word)
    },
  })
  stage.jobs.start()
  await stage.add(
    'a',
    Array.from({ length: 6 }, (_, i) => ({ word: `w${i}`, orderKey: 'k' })),
  )
  await stage.jobs.idle()
  t.same(seen, ['w0'])
  await later(1000, stage)
  t.same(seen, ['w0', 'w1', 'w2', 'w3', 'w4', 'w5'])
})

t.test('jobs of people overtake waiting ones of other lanes, also of the same key, but not running ones', async t => {
  const seen: string[] = []
  let go: () => void = () => undefined
  const { aProcess } = await aStage(t)
  const { jobs, add } = aProcess({
    atOnce: 1,
    run: async job => {
      seen.push(job.payload.word)
      if (job.payload.word === 'running')
        await new Promise<void>(resolve => {
          go = resolve
        })
    },
  })
  jobs.start()
  await add('a', [{ word: 'running', lane: 'bulk', orderKey: 'k' }])
  while (!seen.length) await new Promise(resolve => setImmediate(resolve))
  await add('a', [
    { word: 'bulk', lane: 'bulk', orderKey: 'k' },
    { word: 'bot', lane: 'bot', orderKey: 'k' },
    { word: 'person', lane: 'person', orderKey: 'k' },
  ])
  go()
  await jobs.idle()
  t.same(seen, ['running', 'person', 'bot', 'bulk'])
})

t.test('organizations in a lane take turns, whatever their order and number of jobs', async t => {
  const seen: string[] = []
  const { aProcess } = await aStage(t)
  const { jobs, add } = aProcess({ atOnce: 2, run: async job => void seen.push(job.orgId) })
  await add(
    'big',
    Array.from({ length: 500 }, () => ({ word: 'w' })),
  )
  for (const org of ['s1', 's2', 's3']) await add(org, [{ word: 'w' }])
  jobs.start()
  await jobs.idle()
  for (const org of ['s1', 's2', 's3']) t.ok(seen.indexOf(org) < 8, `${org} waited for ${seen.indexOf(org)}`)
})

t.test('organizations behind paused or full ones are served, however many there are', async t => {
  const seen: string[] = []
  const { aProcess, databases } = await aStage(t)
  const { jobs, add } = aProcess({ run: async job => void seen.push(job.orgId) })
  for (let i = 0; i < 150; i += 1) {
    await inTransaction(databases, trx => jobs.rest(trx, `a${i}`, 'number', 60_000))
    await add(`a${i}`, [{ word: 'w', paceKey: 'number' }])
  }
  await add('z', [{ word: 'w', paceKey: 'number' }])
  jobs.start()
  await jobs.idle()
  t.same(seen, ['z'])
})

testOnSqlite('setting a pace to its current value writes nothing', async t => {
  const { aProcess, databases } = await aStage(t)
  const { jobs } = aProcess()
  const written = () => databases.raw.write.prepare('select total_changes()').pluck().get()
  const set = (perSecond: number) => inTransaction(databases, trx => jobs.setPace(trx, 'a', 'number', perSecond))
  await set(10)
  const before = written()
  await set(10)
  t.equal(written(), before)
  await set(20)
  t.not(written(), before)
})

t.test('a waiting job does not wait until everything that falls due at once is staged', async t => {
  const { aProcess, databases, clock } = await aStage(t)
  const countScheduled = async () =>
    (await databases.read.selectFrom('job').select('seq').where('state', '=', 'scheduled').execute()).length
  let left = 0
  const { jobs, add } = aProcess({
    async run({ orgId }) {
      if (orgId === 'z') left = await countScheduled()
      return undefined
    },
  })
  const dueAt = new Date(clock.now().getTime() + 1000).toISOString()
  await add(
    'a',
    Array.from({ length: 1200 }, () => ({ word: 'w', dueAt })),
  )
  clock.advance(1000)
  await add('z', [{ word: 'w' }])
  jobs.start()
  await jobs.idle()
  t.ok(left > 0, `${left} had yet to fall due`)
  t.equal(await countScheduled(), 0)
})

t.test('a rate limits only its key, and a pause is stored', async t => {
  const seen: string[] = []
  const { aProcess, later, databases } = await aStage(t)
  const stage = aProcess({ run: async job => void seen.push(job.payload.word) })
  await inTransaction(databases, trx => stage.jobs.setPace(trx, 'a', 'number', 10))
  stage.jobs.start()
  await stage.add('a', [
    ...Array.from({ length: 30 }, (_, i) => ({ word: `paced ${i}`, paceKey: 'number' })),
    { word: 'free' },
  ])
  await stage.jobs.idle()
  t.ok(seen.includes('free'))
  t.equal(seen.length, 2, 'one of those with a pace')
  for (let i = 0; i < 10; i += 1) await later(100, stage)
  t.equal(seen.length, 12)
  await inTransaction(databases, trx => stage.jobs.rest(trx, 'a', 'number', 5_000))
  await later(4_900, stage)
  t.equal(seen.length, 12)
  await later(200, stage)
  t.ok(seen.length > 12)
})

t.test('while a unique job is unfinished no other is added; after it ended, one is', async t => {
  const { aProcess } = await aStage(t)
  const { jobs, add } = aProcess()
  t.equal(await add('a', [{ word: '1', uniqueKey: 'u' }]), 1)
  t.equal(await add('a', [{ word: '2', uniqueKey: 'u' }]), 0)
  t.equal(await add('b', [{ word: '3', uniqueKey: 'u' }]), 1, 'another organization has its own keys')
  jobs.start()
  await jobs.idle()
  t.equal(await add('a', [{ word: '4', uniqueKey: 'u' }]), 1)
})

t.test('a cancelled job does not run, and the outcome of a running one is ignored', async t => {
  const seen: string[] = []
  const written: string[] = []
  let go: () => void = () => undefined
  const { aProcess, databases, rows } = await aStage(t)
  const { jobs, add, queue } = aProcess({
    atOnce: 1,
    run: async job => {
      seen.push(job.payload.word)
      await new Promise<void>(resolve => {
        go = resolve
      })
      return { kind: 'done', write: async () => void written.push(job.payload.word) }
    },
  })
  jobs.start()
  await add('a', [
    { word: 'runs', uniqueKey: '1' },
    { word: 'waits', uniqueKey: '2' },
  ])
  while (!seen.length) await new Promise(resolve => setImmediate(resolve))
  t.equal(await inTransaction(databases, trx => queue.cancel(trx, 'b', ['1', '2'])), 0, 'not of another organization')
  t.equal(await inTransaction(databases, trx => queue.cancel(trx, 'a', ['1', '2'])), 2)
  go()
  await jobs.idle()
  t.same(seen, ['runs'])
  t.same(written, [])
  t.match(await rows(), [{ state: 'cancelled' }, { state: 'cancelled' }])
})

t.test('a parked job keeps its reason and does not block its line', async t => {
  const seen: string[] = []
  const { aProcess, rows } = await aStage(t)
  const { jobs, add } = aProcess({
    run: async (job): Promise<Outcome | undefined> => {
      if (job.payload.word === 'first') return { kind: 'parked', reason: 'WINDOW_CLOSED' }
      seen.push(job.payload.word)
      return undefined
    },
  })
  jobs.start()
  await add('a', [
    { word: 'first', orderKey: 'k' },
    { word: 'second', orderKey: 'k' },
  ])
  await jobs.idle()
  t.match(await rows(), [{ state: 'parked', reason: 'WINDOW_CLOSED' }, { state: 'done' }])
  t.same(seen, ['second'])
})

t.test('the writes of an outcome are in the commit of the end, and a failing one affects only its job', async t => {
  const { aProcess, databases, states, log } = await aStage(t)
  const committed: string[] = []
  const { jobs, add } = aProcess({
    tries: 1,
    run: async job => ({
      kind: 'done',
      async write(writes) {
        writes.of('a').afterCommit(() => committed.push(job.payload.word))
        await writes.db
          .insertInto('job_worker')
          .values({ id: job.payload.word, place: null, pid: 1, seen_at: '' })
          .execute()
        if (job.payload.word === 'bad') throw new Error('cannot be written')
      },
    }),
  })
  jobs.start()
  await add('a', [{ word: 'x' }, { word: 'bad' }, { word: 'y' }])
  await jobs.idle()
  t.same(await states(), ['done', 'failed', 'done'])
  t.same(committed.sort(), ['x', 'y'])
  const written = await databases.read.selectFrom('job_worker').select('id').where('pid', '=', 1).execute()
  t.same(
    written
      .map(row => row.id)
      .filter(id => id.length < 4)
      .sort(),
    ['x', 'y'],
  )
  t.equal(log.lines('error').length, 1)
})

t.test(
  'what must be stored before a job runs is in the claiming commit, and a failure affects only its job',
  async t => {
    const ready: (string | undefined)[] = []
    const { aProcess, states } = await aStage(t)
    const { jobs, add } = aProcess<string>({
      tries: 1,
      async claimed(_trx, jobs) {
        if (jobs.some(job => job.payload.word === 'bad')) throw new Error('cannot be begun')
        return new Map(
          jobs.map(job => [
            job.seq,
            job.payload.word === 'over' ? { over: { kind: 'failed', reason: 'OVER' } } : { ready: job.payload.word },
          ]),
        )
      },
      run: async (_job, context) => void ready.push(context.ready),
    })
    jobs.start()
    await add('a', [{ word: 'x' }, { word: 'over' }])
    await add('b', [{ word: 'bad' }])
    await jobs.idle()
    t.same(ready, ['x'])
    t.same(await states(), ['done', 'failed', 'failed'])
  },
)

t.test("a dead process's jobs are released at once on one machine; a live one's never", async t => {
  const { aProcess, machine, states, clock } = await aStage(t)
  const taken: string[] = []
  const one = aProcess({
    run: (job, { signal }) => {
      taken.push(job.payload.word)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('broken off')))
      })
    },
  })
  one.jobs.start()
  await one.add('a', [{ word: 'x' }])
  while (!taken.length) await new Promise(resolve => setImmediate(resolve))
  const seen: number[] = []
  const two = aProcess({ run: async job => void seen.push(job.attempts) })
  two.jobs.start()
  await two.jobs.idle()
  clock.advance(30_000)
  await two.jobs.beat()
  await two.jobs.idle()
  t.same(seen, [])
  t.same(await states(), ['running'])
  machine.die(one.host)
  await two.jobs.beat()
  clock.advance(1000)
  await two.jobs.idle()
  t.same(seen, [2], 'the first attempt counts')
  t.same(await states(), ['done'])
})

t.test('a process knows the number of live processes, and forgets dead ones', async t => {
  const { aProcess, machine } = await aStage(t)
  const [one, two] = [aProcess(), aProcess()]
  t.equal(one.jobs.processes(), 1, 'before its first look')
  for (const { jobs } of [one, two]) {
    jobs.start()
    await jobs.idle()
  }
  await one.jobs.beat()
  t.same([one.jobs.processes(), two.jobs.processes()], [2, 2])
  machine.die(one.host)
  await two.jobs.beat()
  t.equal(two.jobs.processes(), 1)
})

t.test('a job whose outcome writes everything restarts at once, however many processes died running it', async t => {
  const { aProcess, machine, rows } = await aStage(t)
  const taken: number[] = []
  const begin = () =>
    aProcess({
      isWhole: true,
      isKept: true,
      run: (job, { signal }) => {
        taken.push(job.attempts)
        if (taken.length > deaths) return Promise.resolve(undefined)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('broken off'))))
      },
    })
  const deaths = 8
  let dead: ReturnType<typeof begin> | undefined
  for (let life = 0; life <= deaths; life += 1) {
    const one = begin()
    one.jobs.start()
    if (!life) await one.add('a', [{ word: 'x' }])
    await one.jobs.beat()
    while (taken.length === life) await new Promise(resolve => setImmediate(resolve))
    // Its later writes are ignored.
    await dead?.jobs.stop()
    machine.die(one.host)
    dead = one
  }
  await dead?.jobs.idle()
  t.same(taken, [1, 2, 3, 4, 5, 6, 7, 8, 9], 'no time has passed')
  t.match(await rows(), [{ state: 'done' }])
})

t.test('a process that was declared dead loses its jobs, and their later outcomes are ignored', async t => {
  let go: () => void = () => undefined
  const { aProcess, states, clock, machine, databases } = await aStage(t)
  const written: string[] = []
  const one = aProcess({
    run: async () => {
      await new Promise<void>(resolve => {
        go = resolve
      })
      return { kind: 'done', write: async () => void written.push('one') }
    },
  })
  one.jobs.start()
  await one.add('a', [{ word: 'x' }])
  while ((await states())[0] !== 'running') await new Promise(resolve => setImmediate(resolve))
  await databases.write.updateTable('job_worker').set({ place: 'another machine' }).execute()
  const two = aProcess({ run: async () => ({ kind: 'done', write: async () => void written.push('two') }) })
  two.jobs.start()
  await two.jobs.idle()
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    machine.pass(10_000)
    await two.jobs.beat()
  }

  clock.advance(1_000)
  await two.jobs.idle()
  go()
  await one.jobs.idle()
  t.same(written, ['two'])
})

t.test('a process that was declared dead begins nothing until it is registered again', async t => {
  const { aProcess, machine, states, databases } = await aStage(t)
  const ran: string[] = []
  const one = aProcess({ run: async ({ payload }) => void ran.push(`one ${payload.word}`) })
  one.jobs.start()
  await one.jobs.idle()
  const two = aProcess({ run: async ({ payload }) => void ran.push(`two ${payload.word}`) })
  machine.die(one.host)
  two.jobs.start()
  await two.jobs.idle()
  await one.add('a', [{ word: 'x' }])
  await one.jobs.idle()
  t.same([ran, await states()], [[], ['waiting']])
  await two.jobs.idle()
  t.same(ran, ['two x'])
  await databases.write.updateTable('job_worker').set({ place: 'another machine' }).execute()
  await one.jobs.beat()
  await one.add('a', [{ word: 'y' }])
  await one.jobs.idle()
  t.same(ran, ['two x', 'one y'])
})

t.test(
  'when stopping nothing more is claimed, jobs with grace finish, and the rest is released without an attempt',
  async t => {
    const { aProcess, rows } = await aStage(t)
    const { jobs, add } = aProcess({
      atOnce: 1,
      run: (_job, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('broken off')))
        }),
    })
    jobs.start()
    await add('a', [{ word: 'x' }, { word: 'y' }])
    while (!(await rows()).some(row => row.state === 'running')) await new Promise(resolve => setImmediate(resolve))
    await jobs.stop()
    t.match(await rows(), [
      { state: 'waiting', attempts: 0 },
      { state: 'waiting', attempts: 0 },
    ])
  },
)

t.test('health reports waiting jobs of each kind and since when', async t => {
  const { aProcess, clock } = await aStage(t)
  const { jobs, add } = aProcess()
  const first = clock.now().toISOString()
  await add('a', [{ word: 'x' }])
  clock.advance(60_000)
  await add('a', [{ word: 'y' }, { word: 'z', dueAt: '2027-01-01T00:00:00.000Z' }])
  t.same(await jobs.health(), [{ kind: 'test', waiting: 2, running: 0, scheduled: 1, parked: 0, oldestDueAt: first }])
})

t.test('jobs that ended a day ago are deleted, waiting ones are not', async t => {
  const { aProcess, clock, states } = await aStage(t)
  const { jobs, add } = aProcess()
  jobs.start()
  await add(
    'a',
    Array.from({ length: 20 }, () => ({ word: 'x' })),
  )
  await jobs.idle()
  await add('a', [{ word: 'later', dueAt: '2027-01-01T00:00:00.000Z' }])
  t.equal(await jobs.prune(), 0)
  clock.advance(24 * 60 * 60 * 1000 + 1)
  t.equal(await jobs.prune(), 20)
  t.same(await states(), ['scheduled'])
})

t.test('jobs written by a clock that was ahead are found, counted, and delay nothing', async t => {
  const clock = handClock()
  const { aProcess, databases } = await aStage(t, { clock })
  const ran: string[] = []
  const dayMs = 86_400_000
  const process = (looksWithinMs: number) =>
    aProcess({
      looksWithinMs,
      perSecond: 10,
      run: async ({ payload }) => void ran.push(payload.word),
    })
  const before = process(5000)
  clock.advance(dayMs)
  const dueAt = new Date(clock.now().getTime() + 5000).toISOString()
  await before.add('org', [{ word: 'later', dueAt, paceKey: 'number' }])
  await inTransaction(databases, trx => before.jobs.rest(trx, 'org', 'number', 60_000))
  clock.advance(-dayMs)
  t.match(await before.jobs.farAhead(), { jobs: 1, pauses: 1, processes: 0 })
  await before.jobs.stop()
  // Another process, which did not see this.
  const { jobs } = process(5000)
  jobs.start()
  await jobs.idle()
  t.same(ran, ['later'])
  t.match(await jobs.farAhead(), { jobs: 0, pauses: 0, processes: 0 })
})

t.test('jobs that must not run early keep their time while a clock jumps ahead and back', async t => {
  const clock = handClock()
  const { databases, aProcess } = await aStage(t, { clock })
  const dayMs = 86_400_000
  const soon = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  const ran: string[] = []
  const run = async ({ payload }: { payload: Words }) => void ran.push(payload.word)
  const dueIn = async () => {
    const rows = await databases.read.selectFrom('job').select(['kind', 'due_at']).orderBy('kind').execute()
    return rows.map(row => [row.kind, Date.parse(row.due_at) - clock.now().getTime()])
  }
  const chosen = aProcess({ name: 'chosen', keepsTime: 'chosen', looksWithinMs: 30 * dayMs, run })
  const after = aProcess({ name: 'after', keepsTime: 'fromAdding', looksWithinMs: 30 * dayMs, run })
  for (const { jobs } of [chosen, after]) {
    jobs.start()
    await jobs.idle()
  }
  await chosen.add('org', [{ word: 'chosen', dueAt: soon(40_000) }])
  clock.advance(dayMs / 2)
  clock.advance(-dayMs / 2)
  clock.advance(-dayMs)
  await chosen.jobs.idle()
  t.same(ran, [], 'a clock set back does not advance scheduled jobs')
  clock.advance(2 * dayMs - 60_000)
  await after.add('org', [{ word: 'after', dueAt: soon(3 * 3_600_000) }])
  clock.advance(-dayMs + 10_000)
  for (const { jobs } of [chosen, after]) await jobs.idle()
  t.same(ran, [])
  t.same(await dueIn(), [
    ['after', 3 * 3_600_000],
    ['chosen', 90_000],
  ])
  clock.advance(90_000)
  await chosen.jobs.idle()
  t.same(ran, ['chosen'])
  clock.advance(3 * 3_600_000)
  await after.jobs.idle()
  t.same(ran, ['chosen', 'after'])
})
