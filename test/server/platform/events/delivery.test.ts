import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import { createDelivery } from '#server/platform/events/delivery.ts'
import { createListeners, type DurableListener } from '#server/platform/events/listeners.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { alone } from '#test/helpers/lease.ts'
import { keptLog } from '#test/helpers/log.ts'
import { anOrg } from '#test/server/messaging/outbox/stage.ts'

const by = systemActor('test')

/** One installation; `process` starts another process on its data, with listeners of its own. */
const aStage = async (t: Test) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock()
  const log = keptLog()
  const orgId = await anOrg(databases)
  const process = async (...durable: DurableListener<'conversation.manyWaiting'>[]) => {
    const listeners = createListeners()
    for (const listener of durable) listeners.afterCommit(listener)
    const writes = createWrites({ databases, clock, log, listeners })
    const delivery = createDelivery({ databases, clock, log, listeners, writes, lease: alone })
    t.teardown(() => delivery.stop())
    const say = (count: number, org = orgId) =>
      writes.run(org, by, async write =>
        write.emit({
          type: 'conversation.manyWaiting',
          data: { conversationIds: Array.from({ length: count }, (_, i) => `c${i}`) },
        }),
      )
    return { writes, delivery, say }
  }
  return { databases, clock, log, orgId, process }
}

const on = ['conversation.manyWaiting'] as const
const hearing = (name = 'statistics') => {
  const heard: number[] = []
  const listener: DurableListener<'conversation.manyWaiting'> = {
    name,
    on,
    handle: async (_write, event) => void heard.push(event.data.conversationIds.length),
  }
  return { heard, listener }
}

t.test('a listener after the commit hears everything once and in order', async t => {
  const { process } = await aStage(t)
  const { heard, listener } = hearing()
  const { delivery, say } = await process(listener)
  delivery.start()
  await delivery.idle()
  for (let i = 1; i <= 120; i += 1) await say(i)
  await delivery.idle()
  t.strictSame(
    heard,
    Array.from({ length: 120 }, (_, i) => i + 1),
  )
})

t.test('a crash between the commit and its telling loses nothing', async t => {
  const { process } = await aStage(t)
  const first = hearing()
  const before = await process(first.listener)
  before.delivery.start()
  await before.delivery.idle()
  await before.delivery.stop()
  // Committed, and then nobody lived to tell of it.
  await before.say(1)
  await before.say(2)
  t.strictSame(first.heard, [])
  const second = hearing()
  const after = await process(second.listener)
  after.delivery.start()
  await after.delivery.idle()
  t.strictSame(second.heard, [1, 2])
})

t.test('what a listener writes is committed with its place, or not at all', async t => {
  const { databases, clock, process, orgId } = await aStage(t)
  let fails = true
  const { delivery, say } = await process({
    name: 'statistics',
    on,
    async handle({ db }, event) {
      await db.insertInto('tag').values({ id: newId(), org_id: orgId, label: event.id, created_at: '' }).execute()
      if (fails) throw new Error('after its row')
    },
  })
  delivery.start()
  await delivery.idle()
  await say(1)
  await delivery.idle()
  t.strictSame(await databases.read.selectFrom('tag').select('label').execute(), [])
  fails = false
  clock.advance(60_000)
  await delivery.idle()
  t.strictSame(await databases.read.selectFrom('tag').select('label').execute(), [{ label: `${orgId}-1` }])
})

t.test('a listener that throws harms only itself: the others go on, and so does it in other organizations', async t => {
  const { databases, log, process, orgId } = await aStage(t)
  const other = await anOrg(databases)
  const sound = hearing('sound')
  const seen: [string, number][] = []
  const { delivery, say } = await process(
    {
      name: 'broken',
      on,
      async handle(write, event) {
        if (write.orgId === orgId) throw new Error('spoilt')
        seen.push([write.orgId, event.data.conversationIds.length])
      },
    },
    sound.listener,
  )
  delivery.start()
  await delivery.idle()
  await say(1)
  await say(2, other)
  await delivery.idle()
  t.strictSame([...sound.heard].sort(), [1, 2])
  t.strictSame(seen, [[other, 2]])
  t.match(log.lines('warn'), [{ facts: { listener: 'broken', orgId, attempts: 1 } }])
})

t.test('an event that never goes through is parked with its reason, and what follows it is heard', async t => {
  const { databases, clock, process, orgId } = await aStage(t)
  const heard: number[] = []
  const { delivery, say } = await process({
    name: 'statistics',
    on,
    async handle(_write, event) {
      if (event.data.conversationIds.length === 2) throw new Error('cannot count two')
      heard.push(event.data.conversationIds.length)
    },
  })
  delivery.start()
  await delivery.idle()
  for (const count of [1, 2, 3]) await say(count)
  for (let tries = 0; tries < 8; tries += 1) {
    await delivery.idle()
    t.strictSame(heard, tries < 7 ? [1] : [1, 3], 'order is kept while there is hope')
    clock.advance(2 * 60 * 60 * 1000)
  }
  t.match(await databases.read.selectFrom('parked_event').selectAll().execute(), [
    { listener: 'statistics', org_id: orgId, seq: 2, reason: 'Error: cannot count two' },
  ])
  t.strictSame([...(await delivery.parked())], [['statistics', 1]])
})

t.test('a listener that is new hears what happens from now on', async t => {
  const { process } = await aStage(t)
  const old = hearing('old')
  const before = await process(old.listener)
  before.delivery.start()
  await before.delivery.idle()
  await before.say(1)
  await before.delivery.idle()
  await before.delivery.stop()
  const young = hearing('young')
  const after = await process(hearing('old').listener, young.listener)
  after.delivery.start()
  await after.delivery.idle()
  await after.say(2)
  await after.delivery.idle()
  t.strictSame(young.heard, [2])
})

t.test('nothing is kept that no listener asked for, and what all have had goes after a month', async t => {
  const { databases, clock, process } = await aStage(t)
  const rows = () => databases.read.selectFrom('domain_event').select('seq').execute()
  const nobody = await process()
  await nobody.say(1)
  t.strictSame(await rows(), [])
  const { listener } = hearing()
  const { delivery, say } = await process(listener)
  await say(2)
  clock.advance(31 * 24 * 60 * 60 * 1000)
  t.equal(await delivery.prune(clock.now()), 0, 'nobody has had it yet')
  delivery.start()
  await delivery.idle()
  t.equal(await delivery.prune(clock.now()), 1)
  t.strictSame(await rows(), [])
})
