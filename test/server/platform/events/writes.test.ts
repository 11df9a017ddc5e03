import t, { type Test } from 'tap'
import { systemActor } from '#server/platform/events/actors.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { keptWrites } from '#test/helpers/writes.ts'
import { anOrg } from '#test/server/messaging/outbox/stage.ts'

const aStage = async (t: Test) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const log = keptLog()
  const writes = keptWrites({ databases, clock: handClock(), log })
  const orgId = await anOrg(databases)
  const tags = () => databases.read.selectFrom('tag').select('label').orderBy('label').execute()
  const addTag = ({ db }: OrgWrite, label: string) =>
    db.insertInto('tag').values({ id: label, org_id: orgId, label, created_at: '' }).execute()
  return { databases, log, writes, orgId, tags, addTag, by: systemActor('test') }
}

const lost = (phone: string): DomainEvent => ({
  type: 'connection.changed',
  data: { status: null, phone, reason: null },
})
const waiting = (count: number): DomainEvent => ({
  type: 'conversation.manyWaiting',
  data: { conversationIds: Array.from({ length: count }, (_, i) => `c${i}`) },
})
const names = (events: readonly DomainEvent[]) =>
  events.map(({ type, data }) =>
    'phone' in data ? String(data.phone) : 'conversationIds' in data ? String(data.conversationIds.length) : type,
  )

t.test('listeners get events before the commit, in order, and effects after the commit run once', async t => {
  const { writes, orgId, by, addTag, tags } = await aStage(t)
  const heard: string[] = []
  writes.listeners.inTransaction({
    name: 'first',
    on: ['connection.changed'],
    async handle(write, events) {
      heard.push(...names(events))
      await addTag(write, 'derived')
      write.emit(waiting(1))
    },
  })
  writes.listeners.inTransaction({
    name: 'second',
    on: ['conversation.manyWaiting'],
    handle: async (_write, events) => void heard.push(...names(events)),
  })
  let woken = 0
  const wake = () => {
    woken += 1
  }
  const answer = await writes.run(orgId, by, async write => {
    write.emit(lost('a'))
    write.emit(lost('b'))
    write.afterCommit(wake)
    write.afterCommit(wake)
    t.equal(woken, 0)
    return 'done'
  })
  t.equal(answer, 'done')
  t.strictSame(heard, ['a', 'b', '1'])
  t.strictSame(names(writes.happened), ['a', 'b', '1'])
  t.equal(woken, 1)
  t.match(await tags(), [{ label: 'derived' }])
})

t.test('derived events are placed where requested', async t => {
  const { writes, orgId, by } = await aStage(t)
  writes.listeners.inTransaction({
    name: 'around',
    on: ['connection.changed'],
    async handle(write, events) {
      for (const event of events) {
        write.emit(waiting(1), { before: event })
        write.emit(waiting(2), { after: event })
        write.emit(waiting(3), { after: event })
      }
      write.emit(waiting(4))
    },
  })
  await writes.run(orgId, by, async write => {
    write.emit(lost('a'))
    write.emit(lost('b'))
  })
  t.strictSame(names(writes.happened), ['1', 'a', '2', '3', '1', 'b', '2', '3', '4'])
})

t.test('a failed write leaves nothing: no row, no event, no effect, and its changes in memory are undone', async t => {
  const { writes, orgId, by, addTag, tags } = await aStage(t)
  let given = 0
  await t.rejects(
    writes.run(orgId, by, async write => {
      await addTag(write, 'x')
      write.emit(lost('a'))
      write.afterCommit(() => t.fail('woken'))
      write.afterRollback(() => {
        given += 1
      })
      throw new Error('no')
    }),
    { message: 'no' },
  )
  t.strictSame([await tags(), writes.happened, given], [[], [], 1])
})

t.test('a listener that throws is rolled back alone and counted; the write and other listeners continue', async t => {
  const { writes, orgId, by, addTag, tags, log } = await aStage(t)
  let given = 0
  writes.listeners.inTransaction({
    name: 'broken',
    on: ['connection.changed'],
    async handle(write, [event]) {
      await addTag(write, 'half')
      write.emit(waiting(1), { after: event as DomainEvent })
      write.afterCommit(() => t.fail('woken'))
      write.afterRollback(() => {
        given += 1
      })
      throw new Error('broken')
    },
  })
  writes.listeners.inTransaction({
    name: 'sound',
    on: 'all',
    async handle(write) {
      await addTag(write, 'sound')
      write.afterRollback(() => t.fail('nothing of it is undone'))
    },
  })
  await writes.run(orgId, by, async write => {
    await addTag(write, 'own')
    write.emit(lost('a'))
  })
  t.equal(given, 1)
  t.match(await tags(), [{ label: 'own' }, { label: 'sound' }])
  t.strictSame(names(writes.happened), ['a'])
  t.strictSame([...writes.failures()], [['broken', 1]])
  t.match(log.lines('error'), [{ facts: { listener: 'broken', orgId } }])
})

t.test('an essential listener that throws rolls back the write', async t => {
  const { writes, orgId, by, addTag, tags } = await aStage(t)
  writes.listeners.inTransaction({
    name: 'live',
    on: 'all',
    essential: true,
    handle: () => Promise.reject(new Error('no room')),
  })
  await t.rejects(
    writes.run(orgId, by, async write => {
      await addTag(write, 'x')
      write.emit(lost('a'))
    }),
    { message: 'no room' },
  )
  t.strictSame(await tags(), [])
})

t.test('an effect that throws neither affects the commit nor the other effects', async t => {
  const { writes, orgId, by, addTag, tags } = await aStage(t)
  let woken = 0
  await writes.run(orgId, by, async write => {
    await addTag(write, 'x')
    write.afterCommit(() => {
      throw new Error('no')
    })
    write.afterCommit(() => {
      woken += 1
    })
  })
  t.equal(woken, 1)
  t.equal((await tags()).length, 1)
})

t.test('one transaction over two organizations keeps their events apart', async t => {
  const { databases, writes, orgId, by } = await aStage(t)
  const other = await anOrg(databases)
  const heard: [string, string[]][] = []
  writes.listeners.inTransaction({
    name: 'each',
    on: 'all',
    handle: async (write, events) => void heard.push([write.orgId, names(events)]),
  })
  await writes.runMany(by, async many => {
    many.of(orgId).emit(lost('a'))
    many.of(other).emit(lost('b'))
    many.of(orgId).emit(lost('c'))
  })
  t.strictSame(heard, [
    [orgId, ['a', 'c']],
    [other, ['b']],
  ])
})

t.test('two listeners of one name are refused', async t => {
  const { writes } = await aStage(t)
  const listener = { name: 'twice', on: 'all' as const, handle: async () => {} }
  writes.listeners.inTransaction(listener)
  t.throws(() => writes.listeners.inTransaction(listener), /twice/)
})
