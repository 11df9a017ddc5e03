import t from 'tap'
import { Type } from 'typebox'
import { createListeners } from '#server/events/listeners.ts'
import type { ManyWrites, Writes } from '#server/events/writes.ts'
import { createWrites } from '#server/events/writes.ts'
import { newId } from '#server/ids.ts'
import type { AnyKind, Job } from '#server/jobs/job.ts'
import { createJobs } from '#server/jobs/jobs.ts'
import { createSettling } from '#server/jobs/settling.ts'
import { jobStore } from '#server/jobs/store.ts'
import { handClock } from '#test/helpers/clock.ts'
import { keptLog } from '#test/helpers/log.ts'
import { aMachine, aStage, Words } from './stage.ts'

const kind: AnyKind = { name: 'test', payload: Type.Object({}), atOnce: 9, run: async () => undefined }
const aResult = (seq: number) => ({ kind, job: { seq } as Job, outcome: { kind: 'done' } as const })

t.test('what is over in whatever moment the one before it is through, is ended too', async t => {
  const settled: number[] = []
  let through: () => void = () => undefined
  const settling = createSettling({
    writes: { runMany: async (_by, work) => work({} as ManyWrites) },
    clock: handClock(),
    log: keptLog(),
    store: { ...jobStore, end: async (_trx, _owner, ended) => new Set(ended.map(one => one.seq)) },
    owner: () => 'me',
    underWay: () => 0,
    findNext: async () => undefined,
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

t.test('what ends and what begins in its place share a commit', async t => {
  const s = await aStage(t)
  const writes = createWrites({ databases: s.databases, clock: s.clock, log: s.log, listeners: createListeners() })
  let commits = 0
  const counted: Pick<Writes, 'runMany'> = {
    runMany: (by, work) => {
      commits += 1
      return writes.runMany(by, work)
    },
  }
  const { databases, clock, log } = s
  const jobs = createJobs({ databases, writes: counted, clock, log, ids: newId, place: aMachine().place() })
  t.teardown(() => jobs.stop())
  const ran: string[] = []
  const run = async (job: { payload: { word: string } }) => void ran.push(job.payload.word) as undefined
  const queue = jobs.register({ name: 'test', payload: Words, lane: 'person', atOnce: 10, run })
  const all = Array.from({ length: 100 }, (_, i) => ({ payload: { word: String(i) } }))
  await queue.add(databases.write, 'a', all)
  jobs.start()
  await jobs.idle()
  t.equal(new Set(ran).size, 100)
  t.equal(ran.length, 100)
  t.ok(commits < 20, `${commits} commits for ten batches`)
})
