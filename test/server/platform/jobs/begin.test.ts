/** Jobs that are claimed in the commit that adds them. */
import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { createWrites, type Writes } from '#server/platform/events/writes.ts'
import { type JobKind, longestGapMs } from '#server/platform/jobs/job.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { aStage, Words } from './stage.ts'

const aRunner = async (t: Test, kind: Partial<JobKind<typeof Words, string>> = {}) => {
  const s = await aStage(t)
  const begun: [word: string, ready: string | undefined][] = []
  const run: JobKind<typeof Words, string>['run'] = async ({ payload }, { ready }) => {
    begun.push([payload.word, ready])
    return undefined
  }
  const one = s.aProcess<string>({ run, ...kind })
  const writes = createWrites({ databases: s.databases, log: s.log, listeners: createListeners() })
  const write = (work: (write: OrgWrite) => Promise<unknown>) => writes.run('o1', systemActor('test'), work)
  const add = (word: string, more: { orderKey?: string; dueAt?: string } = {}) =>
    write(w => one.queue.addAndBegin(w, { payload: { word }, ...more }))
  return { ...s, ...one, begun, write, addNow: add }
}

const started = async (t: Test, kind?: Partial<JobKind<typeof Words, string>>) => {
  const s = await aRunner(t, kind)
  s.jobs.start()
  await s.jobs.idle()
  return s
}

t.test('it runs right after the commit, with what the commit prepared', async t => {
  const s = await started(t, {
    claimed: async (_writes, jobs) => new Map(jobs.map(job => [job.seq, { ready: `for ${job.payload.word}` }])),
  })
  let inside: string[] = []
  await s.write(async w => {
    await s.queue.addAndBegin(w, { payload: { word: 'a' } })
    inside = (await w.db.selectFrom('job').select('state').execute()).map(row => row.state)
    t.strictSame(s.begun, [], 'not before the commit')
  })
  t.strictSame(inside, ['running'])
  await s.jobs.idle()
  t.strictSame(s.begun, [['a', 'for a']])
  t.strictSame(await s.states(), ['done'])
})

t.test('a rolled back write leaves no job and no run, and frees its slot', async t => {
  const s = await started(t, { atOnce: 1 })
  const undone = s.write(async w => {
    await s.queue.addAndBegin(w, { payload: { word: 'never' } })
    throw new Error('no')
  })
  await t.rejects(undone, { message: 'no' })
  await s.addNow('a')
  await s.jobs.idle()
  t.strictSame(s.begun, [['a', undefined]])
})

t.test('a claim in the commit that cannot be prepared does not affect the write; the job is claimed later', async t => {
  let claims = 0
  const s = await started(t, {
    async claimed() {
      claims += 1
      if (claims === 1) throw new Error('broken')
      return new Map()
    },
  })
  await s.addNow('a')
  await s.jobs.idle()
  t.equal(claims, 2)
  t.strictSame(s.begun, [['a', undefined]])
  t.strictSame(await s.states(), ['done'])
})

t.test('with many concurrent writes no more jobs run than there are slots, and all run', async t => {
  // Jobs of bots may use three quarters of the slots.
  const slots = 3
  let running = 0
  let most = 0
  const allTaken = Promise.withResolvers<void>()
  const allAdded = Promise.withResolvers<void>()
  const s = await started(t, {
    atOnce: 5,
    async run() {
      running += 1
      most = Math.max(most, running)
      if (running === slots) allTaken.resolve()
      await Promise.all([allTaken.promise, allAdded.promise])
      await new Promise(setImmediate)
      running -= 1
      return undefined
    },
  })
  await Promise.all(Array.from({ length: 40 }, (_, i) => s.addNow(String(i))))
  allAdded.resolve()
  await s.jobs.idle()
  t.equal((await s.states()).filter(state => state === 'done').length, 40)
  t.equal(most, slots)
})

t.test('a claimed job has its slot from the claim on, before its commit is known', async t => {
  const s = await aStage(t)
  const real = createWrites({ databases: s.databases, log: s.log, listeners: createListeners() })
  const committed = Promise.withResolvers<void>()
  const isHeard = Promise.withResolvers<void>()
  const writes: Pick<Writes, 'runMany'> = {
    async runMany(by, work) {
      const answer = await real.runMany(by, work)
      committed.resolve()
      await isHeard.promise
      return answer
    },
  }
  const jobs = createJobs({ ...s, writes, ids: newId, host: s.machine.host() })
  t.teardown(() => jobs.stop())
  const end = Promise.withResolvers<void>()
  const queue = jobs.register({
    name: 'test',
    looksWithinMs: longestGapMs,
    payload: Words,
    lane: 'person',
    atOnce: 1,
    run: () => end.promise.then(() => undefined),
  })
  const add = (word: string) => real.run('o1', systemActor('test'), w => queue.addAndBegin(w, { payload: { word } }))
  await add('a')
  jobs.start()
  await committed.promise
  await add('b')
  t.strictSame(await s.states(), ['running', 'waiting'])
  isHeard.resolve()
  end.resolve()
  await jobs.idle()
  t.strictSame(await s.states(), ['done', 'done'])
})

t.test('nothing overtakes jobs of the same order key', async t => {
  const s = await started(t)
  await Promise.all(['a', 'b', 'c'].map(word => s.addNow(word, { orderKey: 'chat' })))
  await s.jobs.idle()
  t.strictSame(
    s.begun.map(([word]) => word),
    ['a', 'b', 'c'],
  )
})

t.test('a job due later waits for its time', async t => {
  const s = await started(t)
  await s.addNow('later', { dueAt: new Date(s.clock.now().getTime() + 60_000).toISOString() })
  await s.jobs.idle()
  t.strictSame(s.begun, [])
  s.clock.advance(60_000)
  await s.jobs.idle()
  t.strictSame(s.begun, [['later', undefined]])
})

t.test('a process that has not started, or stops, only adds', async t => {
  const s = await aRunner(t)
  await s.addNow('early')
  t.strictSame(await s.states(), ['waiting'])
  s.jobs.start()
  await s.jobs.idle()
  await s.jobs.stop()
  await s.addNow('late')
  t.strictSame(await s.states(), ['done', 'waiting'])
})

t.test('jobs added together begin together, as far as slots are free', async t => {
  const s = await started(t, { atOnce: 3, lane: 'person' })
  const words = ['a', 'b', 'c', 'd']
  let inside: string[] = []
  await s.write(async w => {
    await s.queue.addAndBegin(w, ...words.map(word => ({ payload: { word } })))
    inside = (await w.db.selectFrom('job').select('state').orderBy('seq').execute()).map(row => row.state)
  })
  t.strictSame(inside, ['running', 'running', 'running', 'waiting'])
  await s.jobs.idle()
  t.strictSame(
    s.begun.map(([word]) => word),
    words,
  )
})
