import t from 'tap'
import { untilRenewal } from '#server/jobs/workers.ts'
import { aStage } from './stage.ts'

t.test('processes renew their rows at the same moments of the clock, whenever they began', t => {
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

t.test('a process at work says so when that moment comes', async t => {
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
