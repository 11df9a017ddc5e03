import fc from 'fast-check'
import t, { type Test } from 'tap'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { createLive, type Live, maxStreamsPerUser } from '#server/messaging/live/hub.ts'
import { maxPendingBytes } from '#server/messaging/live/reader.ts'
import type { StoredEvent } from '#server/messaging/live/recording.ts'
import { maxReplayedEvents } from '#server/messaging/live/replay.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { randomCases } from '#test/helpers/night.ts'
import { aMember, anOrg, handSink, memberOf, record, tell, until } from './stage.ts'

const quietLog = { debug() {}, info() {}, warn() {}, error() {}, child: () => quietLog } as unknown as Log

const aStage = async (t: Test, given: { shortLivedMs?: number } = {}) => {
  const databases = await freshDatabases()
  const clock = handClock()
  const live = createLive({ scopes: createScopes({ databases }), databases, clock, log: quietLog, ...given })
  t.teardown(async () => {
    await live.close()
    await databases.close()
  })
  return { databases, clock, live }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const settled = async (live: Live, databases: Databases, orgId: string, sink: ReturnType<typeof handSink>) => {
  const head = await live.head(orgId)
  await until(() => sink.ids.at(-1) === head || sink.events.at(-1)?.event === 'resync')
  return databases
}

t.test('events are numbered per organization, and a rolled back change leaves no gap', async t => {
  const { databases, live } = await aStage(t)
  const [a, b] = [await anOrg(databases), await anOrg(databases)]
  await tell(live, databases, a, [1, 2])
  await t.rejects(
    inTransaction(databases, async trx => {
      await record(live, trx, a, [3])
      throw new Error('no')
    }),
  )
  const [third] = await tell(live, databases, a, [3])
  const [first] = await tell(live, databases, b, [1])
  t.equal(third?.seq, 3)
  t.equal(first?.seq, 1)
  t.equal(await live.head(a), 3)
  t.equal(await live.head('nobody'), 0)
})

t.test('a thousand events are stored in order with their data', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const events = await tell(live, databases, org, numbers(1, 1000), ['ana'])
  t.same(
    events.map(event => event.seq),
    numbers(1, 1000),
  )
  const rows = await databases.read.selectFrom('event').selectAll().orderBy('seq').execute()
  t.same(
    rows.map(row => row.seq),
    numbers(1, 1000),
  )
  t.same(rows[999], {
    org_id: org,
    seq: 1000,
    type: 'human',
    at: '2026-11-20T13:00:00.000Z',
    number: null,
    conversation_id: null,
    audience: '["ana"]',
    actor: null,
    actor_name: null,
    data: '{"message":"m1000","number":"1000"}',
  })
  t.same(await inTransaction(databases, trx => live.record(trx, org, [])), [])
})

t.test('a stream without a cursor starts now, knows its position at once, and gets what follows', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const ana = await aMember(databases, org)
  await tell(live, databases, org, [1, 2, 3])
  const sink = handSink()
  live.subscribe(memberOf(ana), sink)
  await until(() => sink.blocks.length === 2)
  t.match(sink.blocks, [{ retry: '2000' }, { id: '3' }])
  await tell(live, databases, org, [4])
  await until(() => sink.ids.length === 1)
  t.same(sink.events, [{ id: 4, event: 'human', data: { message: 'm4', number: '4' } }])
})

t.test('batches published in the wrong order arrive in the right order', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const ana = await aMember(databases, org)
  const sink = handSink()
  live.subscribe(memberOf(ana), sink)
  await until(() => sink.blocks.length === 2)
  const first = await inTransaction(databases, trx => record(live, trx, org, [1, 2]))
  const second = await inTransaction(databases, trx => record(live, trx, org, [3]))
  const third = await inTransaction(databases, trx => record(live, trx, org, [4]))
  live.publish(third)
  live.publish(second)
  live.publish(first)
  await until(() => sink.ids.length >= 4)
  live.publish(first)
  await tell(live, databases, org, [5])
  await until(() => sink.ids.length >= 5)
  t.same(sink.ids, [1, 2, 3, 4, 5])
})

t.test('an event whose publish was lost arrives with the next event or with the sweep', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const ana = await aMember(databases, org)
  const sink = handSink()
  live.subscribe(memberOf(ana), sink)
  await until(() => sink.blocks.length === 2)
  await inTransaction(databases, trx => record(live, trx, org, [1]))
  await tell(live, databases, org, [2])
  await until(() => sink.ids.length === 2)
  await inTransaction(databases, trx => record(live, trx, org, [3]))
  await live.sweep()
  await until(() => sink.ids.length === 3)
  t.same(sink.ids, [1, 2, 3])
})

t.test('with any order of publishing, a reader that connects at any time gets every number exactly once', async t => {
  const { databases, live } = await aStage(t)
  const ana = await aMember(databases, await anOrg(databases))
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          size: fc.integer({ min: 1, max: 250 }),
          late: fc.integer({ min: 0, max: 3 }),
          lost: fc.boolean(),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      fc.array(fc.record({ after: fc.nat(11), back: fc.nat(400) }), { minLength: 1, maxLength: 4 }),
      async (batches, readers) => {
        const orgId = await anOrg(databases)
        const opened: { sink: ReturnType<typeof handSink>; since: number }[] = []
        const waiting: { turns: number; events: StoredEvent[] }[] = []
        for (const [i, batch] of batches.entries()) {
          const events = await inTransaction(databases, trx => record(live, trx, orgId, numbers(1, batch.size)))
          if (!batch.lost) waiting.push({ turns: batch.late, events })
          for (const reader of readers) {
            if (reader.after % batches.length !== i) continue
            const since = Math.max(0, (events.at(-1) as StoredEvent).seq - reader.back)
            const sink = handSink()
            opened.push({ sink, since })
            live.subscribe({ ...memberOf(ana), orgId, userId: `reader${opened.length}` }, sink, since)
          }
          for (const one of waiting.filter(late => late.turns-- === 0)) live.publish(one.events)
          if (i % 3 === 0) await new Promise(resolve => setImmediate(resolve))
        }
        for (const one of waiting.filter(late => late.turns >= 0).reverse()) live.publish(one.events)
        const [last] = await tell(live, databases, orgId, [0])
        const head = (last as StoredEvent).seq
        await until(() => opened.every(({ sink }) => sink.ids.at(-1) === head))
        for (const { sink, since } of opened) t.strictSame(sink.ids, numbers(since + 1, head))
      },
    ),
    { numRuns: randomCases({ day: 20, night: 60 }) },
  )
})

t.test('a reader that missed too much or has a future or deleted cursor is told to reload', async t => {
  const { databases, live, clock } = await aStage(t)
  const org = await anOrg(databases)
  const ana = await aMember(databases, org)
  await tell(live, databases, org, numbers(1, 10))
  clock.advance(91 * 24 * 60 * 60 * 1000)
  await tell(live, databases, org, numbers(11, 20))
  t.equal(await live.prune(), 10)
  t.equal(await live.prune(), 0)
  for (const since of [3, 21, 900, -1]) {
    const sink = handSink()
    live.subscribe(memberOf(ana), sink, since)
    await until(() => sink.blocks.length === 3)
    t.same(sink.blocks.slice(1), [{ data: { event: 'resync', data: {} } }, { id: '20' }], `since ${since}`)
  }
  const sink = handSink()
  live.subscribe(memberOf(ana), sink, 10)
  await settled(live, databases, org, sink)
  t.same(sink.ids, numbers(11, 20), 'the oldest that is kept is replayed')
  await tell(live, databases, org, numbers(21, 21 + maxReplayedEvents))
  const late = handSink()
  live.subscribe(memberOf(ana), late, 20)
  await until(() => late.events.length > 0)
  t.equal(late.events[0]?.event, 'resync')
})

t.test('an event with recipients reaches only them, live and on replay', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const [ana, beto] = [await aMember(databases, org), await aMember(databases, org)]
  const sinks = { ana: handSink(), beto: handSink() }
  live.subscribe(memberOf(ana), sinks.ana)
  live.subscribe(memberOf(beto), sinks.beto)
  await until(() => sinks.ana.blocks.length === 2 && sinks.beto.blocks.length === 2)
  await tell(live, databases, org, [1], [ana.userId])
  await tell(live, databases, org, [2])
  await tell(live, databases, org, [3], [beto.userId])
  await tell(live, databases, org, [4], [])
  await tell(live, databases, org, [5])
  await until(() => sinks.ana.ids.at(-1) === 5 && sinks.beto.ids.at(-1) === 5)
  t.same(sinks.ana.ids, [1, 2, 5])
  t.same(sinks.beto.ids, [2, 3, 5])
  const replayed = handSink()
  live.subscribe(memberOf(ana), replayed, 0)
  await settled(live, databases, org, replayed)
  t.same(replayed.ids, [1, 2, 5])
})

t.test('one organization learns nothing of another, not even from event numbers', async t => {
  const { databases, live } = await aStage(t)
  const [a, b] = [await anOrg(databases), await anOrg(databases)]
  const [ana, beto] = [await aMember(databases, a), await aMember(databases, b)]
  const [mine, other] = [handSink(), handSink()]
  live.subscribe(memberOf(ana), mine)
  live.subscribe(memberOf(beto), other)
  await until(() => mine.blocks.length === 2 && other.blocks.length === 2)
  await Promise.all([tell(live, databases, a, [1, 2]), tell(live, databases, b, [100]), tell(live, databases, a, [3])])
  await until(() => mine.ids.length === 3 && other.ids.length === 1)
  t.same(
    mine.events.map(event => event.data.number),
    ['1', '2', '3'],
  )
  t.same(
    other.events.map(event => event.data.number),
    ['100'],
  )
  t.same(other.ids, [1])
})

t.test('a reader that does not read is closed at its buffer limit; the others get everything', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const slow = handSink()
  const others = numbers(1, 499).map(() => handSink())
  live.subscribe({ orgId: org, userId: 'slow', sessionId: 'x', role: 'member' }, slow)
  for (const [i, sink] of others.entries())
    live.subscribe({ orgId: org, userId: `u${i}`, sessionId: 'x', role: 'member' }, sink)
  await until(() => others.every(sink => sink.blocks.length === 2))
  slow.stalled = true
  for (let i = 0; i < 40; i += 1) {
    const events = await inTransaction(databases, trx =>
      live.record(trx, org, [{ type: 'human', data: { message: 'x'.repeat(10_000), number: String(i) } }]),
    )
    live.publish(events)
    await new Promise(resolve => setImmediate(resolve))
  }
  await until(() => others.every(sink => sink.ids.length === 40))
  t.ok(slow.destroyed)
  t.ok(slow.ids.length < 40)
  t.ok(slow.pending <= maxPendingBytes + 64 * 1024 + 100, `${slow.pending} bytes`)
  t.equal(live.streams, 499)
  const resumed = handSink()
  live.subscribe({ orgId: org, userId: 'slow', sessionId: 'x', role: 'member' }, resumed, slow.ids.at(-1))
  await settled(live, databases, org, resumed)
  t.same([...slow.ids, ...resumed.ids], numbers(1, 40))
})

t.test('a burst larger than the limit does not make a healthy reader look slow', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const sink = handSink()
  live.subscribe({ orgId: org, userId: 'u', sessionId: 's', role: 'member' }, sink)
  await until(() => sink.blocks.length === 2)
  const events = await inTransaction(databases, trx =>
    live.record(
      trx,
      org,
      numbers(1, 1000).map(n => ({ type: 'human' as const, data: { message: 'x'.repeat(1000), number: String(n) } })),
    ),
  )
  live.publish(events)
  await until(() => sink.ids.length === 1000)
  t.same(sink.ids, numbers(1, 1000))
  t.notOk(sink.destroyed)
})

t.test('a stream ends with the session, the membership or the permission, each with its reason', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const cast = await Promise.all(numbers(1, 6).map(() => aMember(databases, org)))
  const sinks = cast.map(() => handSink())
  for (const [i, one] of cast.entries()) live.subscribe(memberOf(one), sinks[i] as ReturnType<typeof handSink>)
  const id = (i: number) => cast[i]?.userId as string
  await databases.write.deleteFrom('session').where('userId', '=', id(0)).execute()
  await databases.write
    .updateTable('session')
    .set({ expiresAt: '2026-11-20T12:59:59.000Z' })
    .where('userId', '=', id(1))
    .execute()
  await databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', id(2)).execute()
  await databases.write.deleteFrom('member').where('userId', '=', id(3)).execute()
  await databases.write.updateTable('member').set({ role: 'billing' }).where('userId', '=', id(4)).execute()
  await live.sweep()
  t.same(
    sinks.map(sink => sink.events.at(-1)?.data.reason),
    ['signedOut', 'signedOut', 'signedOut', 'notMember', 'notMember', undefined],
  )
  t.same(
    sinks.map(sink => sink.ended),
    [true, true, true, true, true, false],
  )
  live.dropMember('another', id(5))
  t.notOk(sinks[5]?.ended)
  live.dropUser(id(5), 'another session')
  t.notOk(sinks[5]?.ended)
  live.dropMember(org, id(5))
  t.ok(sinks[5]?.ended)
  t.equal(live.streams, 0)
  const again = handSink()
  live.subscribe(memberOf(cast[5] as never), again)
  live.dropUser(id(5))
  t.same(again.events.at(-1)?.data, { reason: 'signedOut' })
  await tell(live, databases, org, [1])
  t.same(again.ids, [], 'nothing after the goodbye')
})

t.test('each member has a limited number of streams, and an ended stream frees one', async t => {
  const { databases, live } = await aStage(t)
  const org = await anOrg(databases)
  const ana = memberOf(await aMember(databases, org))
  const open = numbers(1, maxStreamsPerUser).map(() => live.subscribe(ana, handSink()))
  t.notOk(live.mayOpenStream(ana.userId))
  t.ok(live.mayOpenStream('somebody else'))
  open[0]?.close()
  open[0]?.close()
  t.ok(live.mayOpenStream(ana.userId))
  t.equal(live.streams, maxStreamsPerUser - 1)
})

t.test('one heartbeat goes to every stream', async t => {
  const databases = await freshDatabases()
  const live = createLive({
    scopes: createScopes({ databases }),
    databases,
    clock: handClock(),
    log: quietLog,
    heartbeatMs: 5,
  })
  t.teardown(() => live.close())
  const org = await anOrg(databases)
  const sinks = numbers(1, 3).map(() => handSink())
  for (const [i, sink] of sinks.entries())
    live.subscribe({ orgId: org, userId: `u${i}`, sessionId: 's', role: 'member' }, sink)
  await until(() => sinks.every(sink => sink.blocks.length > 4))
  t.same(sinks[0]?.events, [])
})

t.test('a replay skips short-lived events and is deleted', async t => {
  const { databases, live, clock } = await aStage(t)
  const org = await anOrg(databases)
  const ana = await aMember(databases, org)
  const presence = { type: 'presence', data: {} } as const
  const pass = () => inTransaction(databases, trx => live.record(trx, org, [presence, presence]))
  await tell(live, databases, org, [1])
  await pass()
  await tell(live, databases, org, [4])
  await pass()
  clock.advance(2 * 60 * 60 * 1000)
  t.equal(await live.prune(), 4)
  for (const [since, ids] of [
    [0, [1, 4]],
    [1, [4]],
    [2, [4]],
    [4, []],
  ] as const) {
    const sink = handSink()
    live.subscribe(memberOf(ana), sink, since)
    await until(() => sink.events.some(({ event }) => event === 'resync'))
    t.same(sink.ids, ids, `since ${since}`)
    t.equal(sink.events.length, ids.length + 1, 'and to ask for what passed, once')
    t.equal(sink.blocks.at(-1)?.id, '6', 'it stands at the end')
  }
  const last = handSink()
  live.subscribe(memberOf(ana), last, 6)
  const [next] = await tell(live, databases, org, [7])
  live.publish([next as StoredEvent])
  await until(() => last.ids.length > 0)
  t.same(last.ids, [7], 'who missed only such events is told of the next one')
})

t.test('short-lived events are deleted after a few minutes without further action', async t => {
  const { databases, live, clock } = await aStage(t, { shortLivedMs: 10 })
  const org = await anOrg(databases)
  const types = async () => {
    const rows = await databases.read.selectFrom('event').select('type').orderBy('seq').execute()
    return rows.map(({ type }) => type)
  }
  const drafts = [
    { type: 'presence', data: {} },
    { type: 'tags', data: {} },
    { type: 'draft', data: {} },
  ] as const
  live.publish(await inTransaction(databases, trx => live.record(trx, org, drafts)))
  t.same(await types(), ['presence', 'tags', 'draft'])
  clock.advance(1_000)
  while ((await types()).length > 1) await new Promise(resolve => setTimeout(resolve, 20))
  t.same(await types(), ['tags'])
})
