import t, { type Test } from 'tap'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { createLive, maxStreamsPerUser } from '#server/messaging/live/hub.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Signals, SignalTopic } from '#server/platform/db/signals.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'
import { aMember, anOrg, handSink, memberOf } from './stage.ts'

type Hearer = (detail: string | undefined) => void

/** A channel between processes that can lose messages. */
const aWay = () => {
  const hearers: { at: number; topic: SignalTopic; hear: Hearer }[] = []
  const way = { isCut: false }
  const at = (place: number): Signals => ({
    isShared: true,
    send(topic, detail) {
      if (way.isCut) return
      for (const one of hearers) if (one.at !== place && one.topic === topic) one.hear(detail)
    },
    hear: (topic, hear) => hearers.push({ at: place, topic, hear }),
  })
  /** What each process does about once a second. */
  const look = (place: number) => {
    for (const one of hearers) if (one.at === place && one.topic === 'seats') one.hear(undefined)
  }
  return { way, at, look }
}

const aProcess = (databases: Databases, clock = handClock()) =>
  createLive({
    scopes: createScopes({ databases }),
    ...{ databases, clock, log: keptLog(), monotonicMs: () => clock.now().getTime() },
  })

const aStage = async (t: Test) => {
  const databases = await freshDatabases()
  const clock = handClock()
  const { way, at, look } = aWay()
  const open = (place: number) => aProcess(Object.create(databases, { signals: { value: at(place) } }), clock)
  const [one, other] = [open(1), open(2)]
  t.teardown(async () => {
    await one.close()
    await other.close()
    await databases.close()
  })
  const ana = memberOf(await aMember(databases, await anOrg(databases)))
  return { one, other, open, ana, clock, way, look }
}

t.test(
  'each member has a limited number of streams over all processes, and an ended one frees one in each',
  async t => {
    const { one, other, ana } = await aStage(t)
    const half = maxStreamsPerUser / 2
    const open = [one, other].flatMap(live => Array.from({ length: half }, () => live.subscribe(ana, handSink())))
    t.same([one.mayOpenStream(ana.userId), other.mayOpenStream(ana.userId)], [false, false])
    t.ok(one.mayOpenStream('somebody else'))
    open[0]?.close()
    t.same([one.mayOpenStream(ana.userId), other.mayOpenStream(ana.userId)], [true, true])
  },
)

t.test('streams of a dead process count only until its lease expires', async t => {
  const { one, other, ana, clock, way, look } = await aStage(t)
  for (let i = 0; i < maxStreamsPerUser; i += 1) one.subscribe(ana, handSink())
  way.isCut = true
  clock.advance(19_000)
  look(2)
  t.notOk(other.mayOpenStream(ana.userId))
  clock.advance(1_000)
  t.ok(other.mayOpenStream(ana.userId))
})

t.test('a process that starts later or missed a message is told again', async t => {
  const { one, open, ana, clock, way, look } = await aStage(t)
  way.isCut = true
  for (let i = 0; i < maxStreamsPerUser; i += 1) one.subscribe(ana, handSink())
  way.isCut = false
  const late = open(3)
  t.teardown(() => late.close())
  t.ok(late.mayOpenStream(ana.userId), 'it cannot know yet')
  for (let i = 0; i < 12; i += 1) {
    clock.advance(5_000)
    look(1)
    look(3)
    t.notOk(late.mayOpenStream(ana.userId), 'as long as they are open')
  }
})

t.test('the limit holds between two processes on PostgreSQL', async t => {
  const server = await postgresServer()
  const url = server.urlOf(await server.createDatabase(await migratedPostgres()))
  const databases = [openUrl(url), openUrl(url)] as const
  const [one, other] = [aProcess(databases[0]), aProcess(databases[1])]
  t.teardown(async () => {
    for (const live of [one, other]) await live.close()
    for (const each of databases) await each.close()
  })
  const ana = memberOf(await aMember(databases[0], await anOrg(databases[0])))
  const until = (holds: () => boolean) =>
    new Promise<void>(resolve => {
      const timer = setInterval(() => {
        if (!holds()) return
        clearInterval(timer)
        resolve()
      }, 100)
    })
  const openAll = () => Array.from({ length: maxStreamsPerUser }, () => one.subscribe(ana, handSink()))
  let streams = openAll()
  // Messages are lost until both channels are open; the next streams repeat them.
  await until(() => {
    if (!other.mayOpenStream(ana.userId)) return true
    for (const stream of streams) stream.close()
    streams = openAll()
    return false
  })
  streams[0]?.close()
  await until(() => other.mayOpenStream(ana.userId))
  t.ok(one.mayOpenStream(ana.userId))
})
