/** However many jobs of any kind are due: the runner does a bounded amount of work per turn of the event loop. */
import t, { type Test } from 'tap'
import type { JobKind } from '#server/platform/jobs/job.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { countedTurn, countPerTurn, maxPerTurn } from '#test/helpers/loop-turn.ts'
import { aStage, type Words } from './stage.ts'

const due = 300
/** Each writes on its own: a message's outcome, its events, what listeners derive. */
const writesPerCommit = 32

const aRunner = async (t: Test, kind: (count: () => void) => Partial<JobKind<typeof Words, undefined>>) => {
  const s = await aStage(t, { databases: await freshDatabases(countedTurn()) })
  return {
    ...s,
    countRun: () =>
      countPerTurn(async count => {
        const { jobs, add } = s.aProcess({ atOnce: due, ...kind(count) })
        await add(
          'o1',
          Array.from({ length: due }, (_, i) => ({ word: String(i), lane: 'person' as const })),
        )
        jobs.start()
        await jobs.idle()
      }),
  }
}

t.test('handlers begin a few at a time', async t => {
  let begun = 0
  const s = await aRunner(t, count => ({
    async run() {
      begun += 1
      count()
      return undefined
    },
  }))
  const most = await s.countRun()
  t.equal(begun, due)
  t.ok(most <= maxPerTurn, `${most} in one turn`)
})

t.test('the writes of ends are spread over commits, also when all end at once', async t => {
  let begun = 0
  let written = 0
  let endAll = () => undefined as undefined
  const allBegun = new Promise<void>(resolve => {
    endAll = () => void resolve() as undefined
  })
  const s = await aRunner(t, count => ({
    async run() {
      begun += 1
      if (begun === due) endAll()
      await allBegun
      return {
        kind: 'done',
        async write() {
          written += 1
          count()
        },
      }
    },
  }))
  const most = await s.countRun()
  t.equal(written, due)
  t.ok(most <= writesPerCommit, `${most} in one turn`)
})

t.test('jobs that are prepared when claimed are claimed a few at a time, also when none is run', async t => {
  let prepared = 0
  const s = await aRunner(t, count => ({
    async claimed(_writes, jobs) {
      prepared += jobs.length
      return new Map(jobs.map(job => [job.seq, { over: { kind: 'done' as const, write: async () => count() } }]))
    },
    run: async () => undefined,
  }))
  const most = await s.countRun()
  t.equal(prepared, due)
  t.ok(most <= writesPerCommit, `${most} in one turn`)
})

t.test('jobs of a dead process are released a few at a time', async t => {
  let given = 0
  const s = await aStage(t, { databases: await freshDatabases(countedTurn()) })
  const dead = s.aProcess({
    atOnce: due,
    run: (_job, { signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve(undefined))),
  })
  dead.jobs.start()
  await dead.add(
    'o1',
    Array.from({ length: due }, (_, i) => ({ word: String(i), lane: 'person' as const })),
  )
  while ((await s.states()).includes('waiting')) await new Promise(setImmediate)
  s.machine.die(dead.host)
  const most = await countPerTurn(async count => {
    const heir = s.aProcess({
      lost: () => ({
        kind: 'done',
        async write() {
          given += 1
          count()
        },
      }),
    })
    heir.jobs.start()
    await heir.jobs.idle()
  })
  t.equal(given, due)
  t.ok(most <= writesPerCommit, `${most} in one turn`)
})
