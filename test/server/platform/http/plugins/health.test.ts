import Fastify from 'fastify'
import t from 'tap'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import { installHealth } from '#server/platform/http/plugins/health.ts'
import type { Taken } from '#server/platform/snapshots/snapshots.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'

testOnSqlite('ready when the database accepts a write, answered without caching', async t => {
  const databases = await freshDatabases()
  const clock = handClock()
  const app = Fastify()
  installHealth(app, { databases, clock })
  t.teardown(() => app.close())
  const alive = await app.inject('/healthz')
  t.same([alive.statusCode, alive.json()], [200, { status: 'ok' }])
  const ready = await app.inject('/readyz')
  t.same([ready.statusCode, ready.json()], [200, { status: 'ready' }])
  t.equal(ready.headers['cache-control'], 'no-store')
  t.equal(ready.headers['x-content-type-options'], 'nosniff')
  const writes = () => databases.raw.write.prepare('select total_changes()').pluck().get()
  const before = writes()
  await Promise.all(Array.from({ length: 30 }, () => app.inject('/readyz')))
  t.equal(writes(), before, 'requests within a second share one write')
  clock.advance(1000)
  await app.inject('/readyz')
  t.not(writes(), before)
  t.equal((await databases.read.selectFrom('idempotency').selectAll().execute()).length, 1)
  databases.raw.write.pragma('query_only = on')
  clock.advance(1000)
  const broken = await app.inject('/readyz')
  t.same([broken.statusCode, broken.json()], [503, { status: 'databaseNotWritable' }])
  t.equal((await app.inject('/healthz')).statusCode, 200)
  databases.raw.write.pragma('query_only = off')
  clock.advance(1000)
  t.equal((await app.inject('/readyz')).statusCode, 200, 'and ready again when a write succeeds')
})

t.test(
  'not ready while the disk has no space for a webhook, even if a small write succeeds, and ready again after',
  async t => {
    const databases = await freshDatabases()
    const clock = handClock()
    const app = Fastify()
    let free = 0
    installHealth(app, { databases, clock, freeBytes: async () => free })
    t.teardown(() => app.close())
    const ask = async () => {
      clock.advance(1000)
      const { statusCode, json } = await app.inject('/readyz')
      return [statusCode, json()]
    }
    t.same(await ask(), [503, { status: 'diskFull' }])
    free = 3 * 1024 * 1024
    t.same(await ask(), [503, { status: 'diskFull' }], 'three megabytes do not fit with their log')
    free = 5 * 1024 * 1024
    t.same(await ask(), [200, { status: 'ready' }])
  },
)

t.test('not ready before the migrations', async t => {
  const databases = openSnapshot()
  const app = Fastify()
  installHealth(app, { databases, clock: handClock() })
  t.teardown(() => app.close())
  const answer = await app.inject('/readyz')
  t.same([answer.statusCode, answer.json()], [503, { status: 'migrationsPending' }])
})

t.test('ready counts running and parked work; a failing count leaves it ready', async t => {
  const backend = await startBackend(t)
  const { databases } = backend
  const ask = async () => {
    backend.clock.advance(1000)
    return (await backend.inject({ url: '/readyz' })).json()
  }
  const { org } = await aMember({ databases })
  t.match(await ask(), {
    status: 'ready',
    waitingSeconds: { journal: 0, media: 0, push: 0, 'outbox.message': 0 },
    counts: {
      webhooksPutAside: { failed: 0, unknownNumber: 0 },
      untakenWebhooks: {},
      failedListeners: {},
    },
  })
  const at = '2026-11-22T10:00:00.000Z'
  await databases.write
    .insertInto('untaken_item')
    .values([1, 2].map(place => ({ seq: 1, place, org_id: org.id, name: 'calls', item: '{}', at })))
    .execute()
  await databases.write
    .insertInto('webhook_journal')
    .values(
      [1, 2, 3, 3].map(state => ({ connection_id: null, received_at: at, raw: Buffer.from('{}'), state, note: null })),
    )
    .execute()
  await databases.write
    .insertInto('job')
    .values({
      org_id: org.id,
      kind: 'media',
      lane: 1,
      queue: 'media/1/x/',
      pace_key: '',
      payload: '{}',
      state: 'parked',
      blocked: 0,
      attempts: 1,
      due_at: at,
      added_at: at,
    })
    .execute()
  t.match((await ask()).counts, {
    jobs: { media: { waiting: 0, running: 0, scheduled: 0, parked: 1 } },
    webhooksPutAside: { failed: 1, unknownNumber: 2 },
    untakenWebhooks: { calls: 2 },
  })
  await databases.write.schema.dropTable('untaken_item').execute()
  t.match(await ask(), { status: 'ready', counts: undefined })
})

t.test('ready reports how long the oldest row of each kind has waited, and nothing else', async t => {
  const databases = await freshDatabases()
  const clock = handClock('2026-11-22T10:00:00.000Z')
  const app = Fastify()
  const oldestWaiting = async () => ({ journal: undefined, outbox: '2026-11-22T09:58:30.000Z' })
  installHealth(app, { databases, clock, oldestWaiting })
  t.teardown(() => app.close())
  t.same((await app.inject('/readyz')).json(), { status: 'ready', waitingSeconds: { journal: 0, outbox: 90 } })
  clock.advance(10_000)
  t.match((await app.inject('/readyz')).json(), { waitingSeconds: { outbox: 100 } })
})

t.test('ready reports the nightly backups, if enabled; a failing read leaves it ready', async t => {
  const none = await startBackend(t)
  t.notOk('snapshot' in (await none.inject({ url: '/readyz' })).json())

  const outcomes: Taken[] = [
    { bytes: 10, rows: 7 },
    { fault: 'noRoom', reason: 'the disk is full' },
  ]
  const takeSnapshot = async () => outcomes.shift() as Taken
  const backend = await startBackend(t, { takeSnapshot })
  const night = async () => {
    backend.clock.advance(25 * 3_600_000)
    await backend.settle()
    return (await backend.inject({ url: '/readyz' })).json()
  }
  t.same((await backend.inject({ url: '/readyz' })).json().snapshot, { lastGoodAt: null, failure: null })
  const made = await night()
  t.match(made, { status: 'ready', snapshot: { lastGoodAt: /^\d{4}-/, failure: null } })
  t.match(await night(), {
    status: 'ready',
    snapshot: { lastGoodAt: made.snapshot.lastGoodAt, failure: 'noRoom' },
  })
  await backend.databases.write.schema.dropTable('snapshot').execute()
  backend.clock.advance(1000)
  t.match((await backend.inject({ url: '/readyz' })).json(), { status: 'ready', snapshot: undefined })
})
