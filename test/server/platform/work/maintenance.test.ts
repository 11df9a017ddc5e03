import t from 'tap'
import { createMaintenance } from '#server/platform/work/maintenance.ts'
import { aStage } from '#test/server/platform/jobs/stage.ts'

const minute = 60_000

t.test('each chore runs a minute after the first start and then every hour, in one process of two', async t => {
  const s = await aStage(t)
  const runs: string[] = []
  const aProcess = () => {
    const { jobs } = s.aProcess()
    const chores = ['a', 'broken', 'b'].map(name => ({
      name,
      async run() {
        runs.push(name)
        if (name === 'broken') throw new Error('no')
        return 0
      },
    }))
    const maintenance = createMaintenance({ chores, databases: s.databases, jobs, clock: s.clock, log: s.log })
    jobs.start()
    return { jobs, maintenance }
  }
  const processes = [aProcess(), aProcess()]
  for (const { maintenance } of processes) await maintenance.start()
  await s.later(0, ...processes)
  t.same(runs, [])
  await s.later(minute, ...processes)
  t.same(runs.sort(), ['a', 'b', 'broken'])
  await s.later(59 * minute, ...processes)
  t.equal(runs.length, 3)
  await s.later(minute, ...processes)
  t.equal(runs.length, 6)
  t.equal(s.log.lines('error').length, 2, 'the failing one is logged')
  for (const { maintenance } of processes) await maintenance.start()
  t.equal((await s.rows()).length, 3, 'another start adds none')
})
