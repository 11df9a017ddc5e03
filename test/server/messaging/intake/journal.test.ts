import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { createJournal, pruneJournal } from '#server/messaging/intake/journal.ts'
import { journalState } from '#server/messaging/intake/table.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { isOnSqlite } from '#test/helpers/engine.ts'

const rowsOf = (databases: Databases) =>
  databases.read.selectFrom('webhook_journal').selectAll().orderBy('seq').execute()

/** A database, and the number of commits so far. */
const commitsOf = async (t: Test): Promise<{ databases: Databases; commits: () => Promise<number> }> => {
  if (!isOnSqlite) {
    const databases = await freshDatabases()
    const numbers = sql<{ count: number }>`select count(distinct xmin::text) as count from webhook_journal`
    return { databases, commits: async () => (await numbers.execute(databases.read)).rows[0]?.count as number }
  }
  const folder = await mkdtemp(join(tmpdir(), 'journal-'))
  const databases = openDatabase(join(folder, 'test.db'))
  t.teardown(async () => {
    await databases.close()
    await rm(folder, { recursive: true })
  })
  await migrate(databases.write)
  // `data_version` of a connection increases by one for every commit of another connection.
  return { databases, commits: async () => Number(databases.raw.read.pragma('data_version', { simple: true })) }
}

t.test('webhooks appended in one event loop turn share one commit, in order, whatever their number', async t => {
  const { databases, commits } = await commitsOf(t)
  const journal = createJournal({ databases, clock: handClock() })
  for (const count of [1, 3, 4, 37, 150]) {
    const before = await commits()
    const known = (await rowsOf(databases)).length
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        journal.append({ connectionId: 'c1', raw: Buffer.from(`${count}/${i}`) }),
      ),
    )
    t.equal((await commits()) - before, 1, `${count} appends`)
    const rows = (await rowsOf(databases)).slice(known)
    t.same(
      rows.map(row => Buffer.from(row.raw).toString()),
      Array.from({ length: count }, (_, i) => `${count}/${i}`),
    )
  }
})

t.test(
  'large webhooks that arrive together get separate commits, in order, and the event loop turns in between',
  async t => {
    const databases = await freshDatabases()
    const journal = createJournal({ databases, clock: handClock() })
    let turn = 0
    let ticker = setImmediate(function tick() {
      turn += 1
      ticker = setImmediate(tick)
    })
    t.teardown(() => clearImmediate(ticker))
    const turns = await Promise.all(
      [400, 3000, 3000, 1, 200, 400].map(async kilobytes => {
        await journal.append({ connectionId: 'c1', raw: Buffer.alloc(kilobytes * 1024, ' ') })
        return turn
      }),
    )
    t.equal(new Set(turns).size, 5, 'the two small ones shared one')
    t.same(
      (await rowsOf(databases)).map(row => row.raw.length / 1024),
      [400, 3000, 3000, 1, 200, 400],
    )
  },
)

t.test('an append is durable when its promise resolves, with unchanged bytes', async t => {
  const databases = await freshDatabases()
  const journal = createJournal({ databases, clock: handClock('2026-11-20T13:00:00.000Z') })
  const raw = Buffer.from([0, 255, 128, 10])
  await journal.append({ connectionId: null, raw })
  const [row] = await rowsOf(databases)
  t.same(Buffer.from(row?.raw ?? []), raw)
  t.match(row, {
    connection_id: null,
    received_at: '2026-11-20T13:00:00.000Z',
    state: journalState.waiting,
    attempts: 0,
  })
})

t.test('a failed commit rejects every waiting append, and the next commit works', async t => {
  const databases = await freshDatabases()
  const journal = createJournal({ databases, clock: handClock() })
  await databases.write.schema.alterTable('webhook_journal').renameTo('away').execute()
  const both = [
    journal.append({ connectionId: 'c', raw: Buffer.from('1') }),
    journal.append({ connectionId: 'c', raw: Buffer.from('2') }),
  ]
  const ends = await Promise.allSettled(both)
  t.same(
    ends.map(end => end.status),
    ['rejected', 'rejected'],
  )
  await databases.write.schema.alterTable('away').renameTo('webhook_journal').execute()
  await journal.append({ connectionId: 'c', raw: Buffer.from('3') })
  t.equal((await rowsOf(databases)).length, 1)
})

t.test('pruning deletes settled rows older than thirty days and nothing else', async t => {
  const databases = await freshDatabases()
  const clock = handClock('2026-10-01T00:00:00.000Z')
  const journal = createJournal({ databases, clock })
  for (const state of Object.values(journalState))
    await journal.append({ connectionId: 'old', raw: Buffer.from('x'), state })
  await Promise.all(
    Array.from({ length: 1200 }, () =>
      journal.append({ connectionId: 'old', raw: Buffer.from('x'), state: journalState.applied }),
    ),
  )
  clock.set('2026-11-15T00:00:00.000Z')
  await journal.append({ connectionId: 'new', raw: Buffer.from('x'), state: journalState.applied })
  t.equal(await pruneJournal(databases, new Date('2026-10-30T00:00:00.000Z')), 0)
  t.equal(await pruneJournal(databases, new Date('2026-11-16T00:00:00.000Z')), 1202)
  const left = await rowsOf(databases)
  t.same(
    left.map(row => [row.connection_id, row.state]),
    [
      ['old', journalState.waiting],
      ['old', journalState.parked],
      ['new', journalState.applied],
    ],
  )
})

t.test('reports the largest number of appends that waited for one commit since the last call', async t => {
  const { databases } = await commitsOf(t)
  const journal = createJournal({ databases, clock: handClock() })
  const append = () => journal.append({ connectionId: 'c', raw: Buffer.from('x') })
  await append()
  t.equal(journal.takePeakPendingWebhooks(), 1)
  t.equal(journal.takePeakPendingWebhooks(), 0)
  const waiting = Promise.all(Array.from({ length: 40 }, append))
  t.equal(journal.takePeakPendingWebhooks(), 40)
  await waiting
  t.equal(journal.takePeakPendingWebhooks(), 40, 'they waited still when it was asked')
  t.equal(journal.takePeakPendingWebhooks(), 0)
  await append()
  t.equal(journal.takePeakPendingWebhooks(), 1)
})
