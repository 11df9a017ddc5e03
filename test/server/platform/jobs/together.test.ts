/** Bulk jobs that begin together share a row. */
import t, { type Test } from 'tap'
import { systemActor } from '#server/platform/events/actors.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import type { JobKind, Outcome } from '#server/platform/jobs/job.ts'
import { aStage, type Words } from './stage.ts'

const words = ['a', 'b', 'c']

const aRunner = async (t: Test, kind: Partial<JobKind<typeof Words, string>> = {}) => {
  const s = await aStage(t)
  const runs: string[] = []
  const open = Promise.withResolvers<void>()
  const writes = createWrites({ databases: s.databases, log: s.log, listeners: createListeners() })
  const ofKind: Partial<JobKind<typeof Words, string>> = {
    lane: 'bulk',
    atOnce: 64,
    isKept: false,
    beginsTogether: true,
    async run({ payload, attempts }) {
      runs.push(`${payload.word}${attempts}`)
      await open.promise
      return undefined
    },
    ...kind,
  }
  const one = s.aProcess<string>(ofKind)
  one.jobs.start()
  await one.jobs.idle()
  const addMany = (...some: readonly string[]) =>
    writes.run('o1', systemActor('test'), w =>
      one.queue.addAndBegin(
        w,
        ...some.map(word => ({ payload: { word }, orderKey: `chat ${word}`, uniqueKey: word, paceKey: 'n1' })),
      ),
    )
  /** A reply that waits for a retry, with the order key of a running job. */
  const letReplyIn = async () => {
    const dueAt = new Date(s.clock.now().getTime() + 60_000).toISOString()
    await one.add('o1', [{ word: 'reply', lane: 'person', orderKey: 'chat b', uniqueKey: 'reply', dueAt }])
    await s.databases.write.updateTable('job').set({ state: 'retrying' }).where('unique_key', '=', 'reply').execute()
  }
  return { ...s, ...one, ofKind, runs, open: () => open.resolve(), addMany, letReplyIn }
}

t.test('one row stands for all that run, and goes with the last of them', async t => {
  const s = await aRunner(t)
  await s.addMany(...words)
  t.match(await s.rows(), [{ state: 'running', order_key: null, unique_key: null }])
  t.equal((await s.rows()).length, 1)
  s.open()
  await s.jobs.idle()
  t.strictSame(s.runs, ['a1', 'b1', 'c1'])
  t.strictSame(await s.rows(), [])
})

t.test('who stands in a line already is not overtaken, the others begin', async t => {
  const s = await aRunner(t)
  await s.addMany('b')
  t.strictSame(await s.states(), ['running'])
  await s.addMany(...words)
  t.match(await s.rows(), [
    { unique_key: 'b', state: 'running' },
    { unique_key: null, payload: /"a".*"c"/s },
  ])
  t.equal((await s.rows()).length, 2, 'b is there already')
  s.open()
  await s.jobs.idle()
  t.strictSame([...s.runs].sort(), ['a1', 'b1', 'c1'])
})

t.test('one that is tried again has a row of its own from then on, with its try counted', async t => {
  const runs: string[] = []
  const s = await aRunner(t, {
    async run({ payload, attempts }) {
      runs.push(`${payload.word}${attempts}`)
      return payload.word === 'b' && attempts === 1 ? { kind: 'retry', afterMs: 5000, reason: 'BUSY' } : undefined
    },
  })
  await s.addMany(...words)
  await s.jobs.idle()
  t.match(await s.rows(), [
    { state: 'retrying', unique_key: 'b', order_key: 'chat b', pace_key: 'n1', lane: 2, attempts: 1, reason: 'BUSY' },
  ])
  t.equal((await s.rows()).length, 1)
  await s.later(5000, s)
  t.strictSame(runs, ['a1', 'b1', 'c1', 'b2'])
  t.strictSame(await s.rows(), [])
})

t.test('one that is to be tried again while somebody came into its line goes behind him', async t => {
  const first = Promise.withResolvers<Outcome>()
  const s = await aRunner(t, {
    run: async ({ payload, attempts }) => (payload.word === 'b' && attempts === 1 ? first.promise : undefined),
  })
  await s.addMany(...words)
  await s.letReplyIn()
  first.resolve({ kind: 'retry', afterMs: 1000, reason: 'BUSY' })
  await s.jobs.idle()
  t.match(
    (await s.rows()).map(row => [row.unique_key, row.state]),
    [
      ['reply', 'retrying'],
      ['b', 'scheduled'],
    ],
  )
})

t.test('one that is given back, or is to begin anew, while somebody came into its line is not lost', async t => {
  for (const outcome of [{ kind: 'released' }, { kind: 'again', afterMs: 0 }] satisfies Outcome[]) {
    const first = Promise.withResolvers<Outcome>()
    const s = await aRunner(t, {
      run: async ({ payload, attempts }) => (payload.word === 'b' && attempts === 1 ? first.promise : undefined),
    })
    await s.addMany(...words)
    await s.letReplyIn()
    first.resolve(outcome)
    await s.jobs.idle()
    t.match(
      (await s.rows()).map(row => row.unique_key),
      ['reply', 'b'],
      outcome.kind,
    )
  }
})

t.test('one that failed for good is kept as any other, and the rest is done', async t => {
  const s = await aRunner(t, {
    run: async ({ payload }) => (payload.word === 'c' ? { kind: 'failed', reason: 'NO' } : undefined),
  })
  await s.addMany(...words)
  await s.jobs.idle()
  t.match(await s.rows(), [{ unique_key: 'c', state: 'failed', reason: 'NO' }])
  t.equal((await s.rows()).length, 1)
})

t.test('what is over before it begins is not run, and the row goes with the others', async t => {
  const s = await aRunner(t, {
    claimed: async (_writes, jobs) =>
      new Map(
        jobs.map(({ seq, payload }) => [seq, payload.word === 'b' ? { over: { kind: 'done' } } : { ready: 'yes' }]),
      ),
  })
  await s.addMany(...words)
  s.open()
  await s.jobs.idle()
  t.strictSame(s.runs, ['a1', 'c1'])
  t.strictSame(await s.rows(), [])
})

t.test('of a process that died each of them is lost, also those whose ends were not written', async t => {
  const lost: string[] = []
  const tells = {
    lost: (job: { payload: Words }): Outcome => ({
      kind: 'done',
      write: async () => void lost.push(job.payload.word),
    }),
  }
  const s = await aRunner(t, tells)
  await s.addMany(...words)
  s.machine.die(s.place)
  const other = s.aProcess<string>({ ...s.ofKind, ...tells })
  other.jobs.start()
  await other.jobs.idle()
  t.strictSame(lost, words)
  t.strictSame(await s.rows(), [])
  // Writes of the dead process are ignored.
  s.open()
  await s.jobs.idle()
  t.strictSame(lost, words)
})

t.test('it is seen that something of their order keys is under way', async t => {
  const s = await aRunner(t)
  await s.addMany(...words)
  const isUnderWay = (...keys: string[]) => s.jobs.isUnderWay(s.databases.read, 'o1', keys)
  t.strictSame(await Promise.all([isUnderWay('chat a', 'chat x'), isUnderWay('chat x'), isUnderWay('chat')]), [
    true,
    false,
    false,
  ])
  s.open()
  await s.jobs.idle()
  t.equal(await isUnderWay('chat a'), false)
})
