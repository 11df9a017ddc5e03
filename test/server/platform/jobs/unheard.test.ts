import t from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { ConnectionLost } from '#server/platform/db/postgres/faults.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites, type Writes } from '#server/platform/events/writes.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { aMachine, Words } from './stage.ts'

t.test('jobs claimed by a commit whose answer was lost are run, and running ones are left alone', async t => {
  const databases = await freshDatabases()
  const clock = handClock()
  const log = keptLog()
  const real = createWrites({ databases, log, listeners: createListeners() })
  let isLost = true
  const writes: Pick<Writes, 'runMany'> = {
    async runMany(by, work) {
      const answer = await real.runMany(by, work)
      if (!isLost) return answer
      isLost = false
      throw new ConnectionLost(new Error('on the way back'))
    },
  }
  const ran: string[] = []
  const slow = Promise.withResolvers<void>()
  const jobs = createJobs({ databases, writes, clock, log, ids: newId, host: aMachine().host() })
  const queue = jobs.register({
    name: 'test',
    looksWithinMs: longestGapMs,
    payload: Words,
    atOnce: 16,
    async run({ payload }) {
      ran.push(payload.word)
      if (payload.word === 'slow') await slow.promise
    },
    lost: () => ({ kind: 'retry', afterMs: 0, reason: 'LOST' }),
  })
  t.teardown(async () => {
    slow.resolve()
    await jobs.stop()
    await databases.close()
  })
  const add = (word: string) => inTransaction(databases, trx => queue.add(trx, 'a', [{ payload: { word } }]))
  const states = async () =>
    (await databases.read.selectFrom('job').select('state').orderBy('seq').execute()).map(row => row.state)

  await add('unheard')
  jobs.start()
  await jobs.idle()
  t.same([ran, await states()], [[], ['running']], 'claimed, but the answer was lost')

  await add('slow')
  queue.wake()
  while (!ran.length) await new Promise(resolve => setTimeout(resolve, 5))
  await jobs.beat()
  t.same(await states(), ['running', 'running'], 'one check could be too early')
  await jobs.beat()
  clock.advance(1)
  queue.wake()
  while (ran.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
  t.same(ran, ['slow', 'unheard'])
  for (let beats = 0; beats < 3; beats += 1) await jobs.beat()
  slow.resolve()
  await jobs.idle()
  t.same(
    [ran, await states()],
    [
      ['slow', 'unheard'],
      ['done', 'done'],
    ],
    'each once',
  )
})
