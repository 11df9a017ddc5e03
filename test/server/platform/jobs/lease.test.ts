import t from 'tap'
import { freshDatabases } from '#test/helpers/db.ts'
import { aStage } from './stage.ts'

t.test('one process at a time has a lease; another gets it after that one died', async t => {
  const whole = await freshDatabases()
  let written = 0
  const write = {
    get() {
      written += 1
      return whole.write
    },
  }
  const { aProcess, databases, machine, clock } = await aStage(t, { databases: Object.create(whole, { write }) })
  const [one, two, three] = [aProcess(), aProcess(), aProcess()]
  const early = three.jobs.lease('journal')
  t.equal(await early.take(), false, 'not a process without a worker row')
  for (const { jobs } of [one, two]) {
    jobs.start()
    await jobs.idle()
  }
  const [first, second] = [one.jobs.lease('journal'), two.jobs.lease('journal')]
  t.same([await first.take(), await second.take(), await first.take()], [true, false, true])
  t.same([await first.isHeld(databases.read), await second.isHeld(databases.read)], [true, false])
  t.equal(await two.jobs.lease('another').take(), true, 'each lease by itself')
  clock.advance(30_000)
  await two.jobs.beat()
  const before = written
  t.equal(await second.take(), false, 'a live process keeps it')
  t.equal(written, before, 'and asking does not write')
  machine.die(one.host)
  await two.jobs.beat()
  t.same([await second.take(), await first.isHeld(databases.read), await first.take()], [true, false, false])
})

t.test('a process that stops cleanly leaves the lease to the next', async t => {
  const { aProcess } = await aStage(t)
  const [one, two] = [aProcess(), aProcess()]
  for (const { jobs } of [one, two]) {
    jobs.start()
    await jobs.idle()
  }
  t.ok(await one.jobs.lease('journal').take())
  await one.jobs.stop()
  t.ok(await two.jobs.lease('journal').take())
})
