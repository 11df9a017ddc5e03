import Fastify from 'fastify'
import t from 'tap'
import { openSnapshot } from '#server/db.ts'
import { installHealth } from '#server/plugins/health.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('ready when the database takes a write, and says so without a cache', async t => {
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
  t.equal(writes(), before, 'askers within a second share one write')
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
  t.equal((await app.inject('/readyz')).statusCode, 200, 'and ready again when it takes one')
})

t.test(
  'not ready while the disk has no room for a webhook, whatever a small write says, and ready again after',
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
    t.same(await ask(), [503, { status: 'diskFull' }], 'three megabytes do not fit with their commit')
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

t.test('ready tells how long the oldest row of each kind has waited, and nothing else of it', async t => {
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
