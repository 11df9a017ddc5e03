import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { newId } from '#server/platform/crypto/ids.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import { type AnyKind, type Job, longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { type Lane, rankOf } from '#server/platform/jobs/lane.ts'
import { createSettling } from '#server/platform/jobs/outcomes/settling.ts'
import { jobStore } from '#server/platform/jobs/store.ts'
import { handClock } from '#test/helpers/clock.ts'
import { keptLog } from '#test/helpers/log.ts'
import { aMachine, aStage, Words } from '../stage.ts'

const kind: AnyKind = {
  name: 'test',
  looksWithinMs: 1,
  payload: Type.Object({}),
  atOnce: 9,
  run: async () => undefined,
}
const aResult = (seq: number) => ({ kind, job: { seq } as Job, outcome: { kind: 'done' } as const })

const aSettling = (more: Partial<Parameters<typeof createSettling>[0]>) =>
  createSettling({
    writes: { runMany: async (_by, work) => work({} as ManyWrites) },
    clock: handClock(),
    log: keptLog(),
    store: { ...jobStore, end: async (_trx, _owner, ended) => new Set(ended.map(one => one.seq)) },
    owner: () => 'me',
    underWay: () => 0,
    findNext: async () => undefined,
    onSettled: () => undefined,
    ...more,
  })

t.test('a result that arrives in any moment of the flush before is ended too', async t => {
  const settled: number[] = []
  let through: () => void = () => undefined
  const settling = aSettling({
    onSettled(results) {
      settled.push(...results.map(({ job }) => job.seq))
      through()
    },
  })
  const moments = 12
  for (let ticks = 0; ticks < moments; ticks += 1) {
    const isThrough = new Promise<void>(resolve => {
      through = resolve
    })
    settling.add(aResult(2 * ticks))
    await isThrough
    for (let i = 0; i < ticks; i += 1) await undefined
    settling.add(aResult(2 * ticks + 1))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    t.equal(settled.length, 2 * ticks + 2, `${ticks} ticks later`)
  }
})

/** Timers and the time that passes between them, by hand. */
const timersByHand = (t: Test) => {
  const waiting = new Map<NodeJS.Timeout, { ms: number; ring: () => void }>()
  const [set, clear, now] = [globalThis.setTimeout, globalThis.clearTimeout, performance.now]
  let passedMs = 1_000
  performance.now = () => passedMs
  let last = 0
  globalThis.setTimeout = ((ring: () => void, ms: number) => {
    last += 1
    waiting.set(last as never, { ms, ring })
    return last
  }) as never
  globalThis.clearTimeout = ((timer: NodeJS.Timeout) => void waiting.delete(timer)) as never
  t.teardown(() => {
    globalThis.setTimeout = set
    globalThis.clearTimeout = clear
    performance.now = now
  })
  return {
    all: () => [...waiting.values()].map(({ ms }) => ms),
    ring: () => [...waiting.values()].forEach(({ ring }) => void ring()),
    pass: (ms: number) => {
      passedMs += ms
    },
  }
}

t.test('ends that may wait share a commit, and an urgent one commits them too', async t => {
  const commits: number[][] = []
  let underWay = 99
  const settling = aSettling({
    underWay: () => underWay,
    onSettled: results => void commits.push(results.map(({ job }) => job.seq)),
  })
  const timers = timersByHand(t)
  const turns = async () => {
    for (let i = 0; i < 4; i += 1) await new Promise(setImmediate)
  }
  const add = async (seq: number, lane: Lane, endsTogether = true) => {
    settling.add({
      kind: { ...kind, endsTogether },
      job: { seq, rank: rankOf(lane) } as Job,
      outcome: { kind: 'done' },
    })
    await turns()
  }
  await add(1, 'bulk')
  await add(2, 'bot')
  t.same(commits, [], 'they wait')
  t.same(timers.all(), [20], 'as long as the one that may wait least')
  await add(3, 'bot', false)
  t.same(commits, [[1, 2, 3]], "a flow's turn takes them along")
  await add(4, 'bot')
  timers.ring()
  await turns()
  t.same(commits.slice(1), [[4]], 'or until their time is up')
  await add(5, 'bot')
  await add(6, 'person')
  t.same(commits.slice(2), [[5, 6]], 'a job of a person waits for nobody')
  timers.pass(25)
  underWay = 2
  await add(7, 'bot')
  await add(8, 'bot')
  t.same(commits.slice(3), [[7, 8]], 'all that were running are included')
  timers.pass(25)
  underWay = 1
  await add(9, 'bot')
  t.same(commits.slice(4), [[9]], 'no other job is running')
  await add(10, 'bot')
  t.same(commits.slice(5), [], 'shortly after a commit they wait for the next one, even if no other job is running')
  await add(11, 'bot', false)
  t.same(commits.slice(5), [[10, 11]])
  underWay = 99
  await add(12, 'bot')
  settling.stop()
  await settling.finish()
  t.same(commits.slice(6), [[12]], 'the process ends')
  t.same(timers.all(), [])
})

const together = { write: async () => undefined, item: undefined }
const endings: readonly { title: string; more: { isWhole?: boolean }; outcome: Outcome | undefined }[] = [
  { title: 'what ends', more: {}, outcome: undefined },
  { title: 'what writes all it does as it ends', more: { isWhole: true }, outcome: { kind: 'done', together } },
]
for (const { title, more, outcome } of endings)
  t.test(`${title} and what begins in its place share a commit`, async t => {
    const s = await aStage(t)
    const writes = createWrites({ databases: s.databases, log: s.log, listeners: createListeners() })
    let commits = 0
    const counted: Pick<Writes, 'runMany'> = {
      runMany: (by, work) => {
        commits += 1
        return writes.runMany(by, work)
      },
    }
    const { databases, clock, log } = s
    const jobs = createJobs({ databases, writes: counted, clock, log, ids: newId, host: aMachine().host() })
    t.teardown(() => jobs.stop())
    const ran: string[] = []
    const queue = jobs.register<typeof Words, undefined>({
      ...{ name: 'test', looksWithinMs: longestGapMs, payload: Words, lane: 'person', atOnce: 10, ...more },
      async run(job) {
        ran.push(job.payload.word)
        return outcome
      },
    })
    const all = Array.from({ length: 100 }, (_, i) => ({ payload: { word: String(i) } }))
    await queue.add(databases.write, 'a', all)
    jobs.start()
    await jobs.idle()
    t.equal(new Set(ran).size, 100)
    t.equal(ran.length, 100)
    t.ok(commits < 20, `${commits} commits for ten batches`)
  })
