import t from 'tap'
import { untilRenewal } from '#server/platform/jobs/workers/workers.ts'
import { handClock } from '#test/helpers/clock.ts'
import { aStage } from '../stage.ts'

const day = 86_400_000

t.test('processes send heartbeats at the same moments of the clock, whenever they started', t => {
  const moments = ['00.000', '00.001', '07.300', '18.999', '19.001', '19.999'].map(
    second => new Date(`2026-11-26T10:00:${second}Z`),
  )
  const waits = moments.map(untilRenewal)
  t.same(
    moments.map((moment, i) => new Date(moment.getTime() + (waits[i] as number)).toISOString().slice(17)),
    ['20.000Z', '20.000Z', '20.000Z', '20.000Z', '40.000Z', '40.000Z'],
  )
  t.ok(Math.min(...waits) >= 1000, 'never twice in a row')
  t.end()
})

t.test('a process sends its heartbeat at that moment', async t => {
  const { aProcess, databases, clock } = await aStage(t)
  clock.set('2026-11-26T10:00:18.900Z')
  for (const { jobs } of [aProcess(), aProcess()]) {
    jobs.start()
    await jobs.idle()
  }
  clock.advance(50)
  const seen = async () => {
    const rows = await databases.read.selectFrom('job_worker').select('seen_at').execute()
    return rows.map(row => row.seen_at)
  }
  t.same(await seen(), ['2026-11-26T10:00:18.900Z', '2026-11-26T10:00:18.900Z'])
  while ((await seen()).some(at => at !== '2026-11-26T10:00:18.950Z'))
    await new Promise(resolve => setTimeout(resolve, 50))
})

t.test('a process is declared dead by how long it is silent, whatever the clocks say', async t => {
  const clock = handClock()
  const { aProcess, databases, machine } = await aStage(t, { clock })
  const [one, two] = [aProcess(), aProcess()]
  for (const { jobs } of [one, two]) {
    jobs.start()
    await jobs.idle()
  }
  // Where pids mean nothing, only heartbeats count.
  await databases.write.updateTable('job_worker').set({ place: null }).execute()
  const rows = async () => (await databases.read.selectFrom('job_worker').select('id').execute()).length
  const seen = (iso: string) => databases.write.updateTable('job_worker').set({ seen_at: iso }).execute()
  const watch = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      machine.pass(10_000)
      await two.jobs.beat()
    }
  }
  clock.advance(day)
  await two.jobs.beat()
  t.equal(await rows(), 2, "a clock a day ahead of the other's last renewal")
  clock.advance(-2 * day)
  await two.jobs.beat()
  t.equal(await rows(), 2, 'and a day behind it')
  for (const at of ['2026-11-18T00:00:00.000Z', '2030-01-01T00:00:00.000Z', '2026-11-18T00:00:01.000Z']) {
    await seen(at)
    await watch(4)
  }
  t.equal(await rows(), 2, 'a process whose row changes is alive, whatever time it writes')
  machine.pass(day)
  await two.jobs.beat()
  t.equal(await rows(), 2, 'a process that hung for a day cannot judge the others')
  await watch(3)
  t.equal(await rows(), 1, 'a process silent while observed is given up')
})

t.test('a process that has the database to itself releases the previous one’s jobs at once', async t => {
  const { aProcess, databases, machine } = await aStage(t)
  await databases.write
    .insertInto('job_worker')
    .values({ id: 'before', place: 'another container', pid: 1, seen_at: '2099-01-01T00:00:00.000Z' })
    .execute()
  const alone = aProcess({}, { isAlone: true })
  alone.jobs.start()
  await alone.jobs.idle()
  const rows = await databases.read.selectFrom('job_worker').select('id').execute()
  t.equal(rows.length, 1)
  t.not(rows[0]?.id, 'before')
  t.equal(machine.passed(), 0)
})
