import t from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import { createFollower } from '#server/platform/jobs/follower.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { aStage } from './stage.ts'

t.test('a follower takes slices until nothing is left, and lets other jobs of its lane run between', async t => {
  const { databases, clock, log, aProcess, later, rows } = await aStage(t)
  const found: ('slice' | Outcome | undefined)[] = []
  let taken = 0
  const { jobs } = aProcess()
  const follower = createFollower(
    { databases, jobs, clock, log },
    {
      name: 'reading',
      uniqueKey: 'all',
      afterMs: 2_000,
      slicesPerRun: 3,
      takeSlice: async () => {
        taken += 1
        return found.shift()
      },
      isBehind: async () => false,
    },
  )
  jobs.start()
  const change = () =>
    inTransaction(databases, db => follower.follow({ db: db as never, afterCommit: run => setImmediate(run) }))
  await change()
  await change()
  t.equal((await rows()).length, 1, 'a second change queues no second job')
  await later(1_999, { jobs })
  t.equal(taken, 0, 'it waits for a burst to end')
  found.push('slice', 'slice', 'slice', 'slice', { kind: 'again', afterMs: 500 }, undefined)
  await later(1, { jobs })
  t.equal(taken, 5, 'after three slices the job begins anew')
  await later(500, { jobs })
  t.equal(taken, 6)
  await later(2_000, { jobs })
  t.equal(taken, 7, 'it looks once more')
  t.same(await rows(), [], 'it leaves no row')
})

t.test('a change that is committed while the job ends is taken soon, though it queued no job', async t => {
  const { databases, clock, log, aProcess, later, rows } = await aStage(t)
  let left = 1
  let isMissed = false
  const { jobs } = aProcess()
  const follower = createFollower(
    { databases, jobs, clock, log },
    {
      ...{ name: 'reading', uniqueKey: 'all', afterMs: 2_000, slicesPerRun: 3 },
      takeSlice: async () => {
        const found = left > 0
        left = 0
        if (found) return 'slice'
        if (!isMissed) await change()
        isMissed = true
        return undefined
      },
      isBehind: async () => false,
    },
  )
  const change = () =>
    inTransaction(databases, async db => {
      left += 1
      await follower.follow({ db: db as never, afterCommit: run => setImmediate(run) })
    })
  jobs.start()
  await change()
  await later(2_000, { jobs })
  t.ok(isMissed)
  t.equal(left, 1)
  await later(2_000, { jobs })
  t.equal(left, 0)
  t.same(await rows(), [])
})

t.test('at the start it is queued if something is left, and an error only delays it', async t => {
  const { databases, clock, log, aProcess, later } = await aStage(t)
  let taken = 0
  let isBehind = async () => true
  const { jobs } = aProcess()
  const follower = createFollower(
    { databases, jobs, clock, log },
    {
      ...{ name: 'reading', uniqueKey: 'all', afterMs: 2_000, slicesPerRun: 3 },
      takeSlice: async () => {
        taken += 1
        return undefined
      },
      isBehind: () => isBehind(),
    },
  )
  jobs.start()
  await follower.start()
  await later(2_000, { jobs })
  await later(2_000, { jobs })
  t.equal(taken, 2)
  isBehind = async () => false
  await follower.start()
  await later(2_000, { jobs })
  await later(2_000, { jobs })
  t.equal(taken, 2)
  isBehind = async () => {
    throw new Error('The database is away')
  }
  await follower.start()
  t.match(log.lines('error'), [{ facts: { job: 'reading' } }])
})
