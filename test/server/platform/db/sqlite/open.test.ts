import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { openDatabase, openSnapshot } from '#server/platform/db/sqlite/open.ts'
import { countedTurn, countPerTurn, maxPerTurn } from '#test/helpers/loop-turn.ts'

t.test('a new database and its log are readable only by this account, whatever the folder allows', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-db-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const databases = openDatabase(join(folder, 'recado.db'))
  databases.raw.write.exec('create table x (y integer) strict')
  const modes = Object.fromEntries(readdirSync(folder).map(name => [name, statSync(join(folder, name)).mode & 0o777]))
  await databases.close()
  t.strictSame(modes, { 'recado.db': 0o600, 'recado.db-shm': 0o600, 'recado.db-wal': 0o600 })
})

const aFile = (t: Test) => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-db-'))
  const path = join(folder, 'recado.db')
  const databases = openDatabase(path)
  databases.raw.write.exec('create table x (y integer) strict')
  t.teardown(async () => {
    await databases.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { path, databases }
}

/** Whether `what` changed the version. */
const tells = async (databases: Databases, what: () => unknown) => {
  const before = databases.version()
  await what()
  return databases.version() !== before
}

const insert = sql`insert into x values (1)`

t.test('the version changes with every commit of any connection', async t => {
  const { path, databases } = aFile(t)
  const other = new Sqlite(path)
  t.teardown(() => other.close())
  let columns = 0
  const program = `const S = require('better-sqlite3'); new S(process.argv[1]).exec('insert into x values (3)')`
  const writers: Record<string, () => unknown> = {
    'our writer': () => insert.execute(databases.write),
    'a transaction': () => inTransaction(databases, trx => insert.execute(trx)),
    'our connection, past Kysely': () => databases.raw.write.exec('delete from x'),
    'another connection': () => other.exec('insert into x values (2)'),
    'another process': () => {
      const { status, stderr } = spawnSync(process.execPath, ['-e', program, path], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
    },
    'a change of tables': () => {
      columns += 1
      databases.raw.write.exec(`alter table x add column z${columns} integer`)
    },
  }
  for (const [who, write] of Object.entries(writers)) {
    t.ok(await tells(databases, write), who)
    t.ok(
      await tells(databases, async () => {
        await write()
        // A reader in between must not consume the change.
        await sql`select * from x`.execute(databases.read)
      }),
      `${who}, read by somebody first`,
    )
  }
})

t.test('the version changes with nothing else', async t => {
  const { databases } = aFile(t)
  databases.version()
  t.notOk(await tells(databases, () => sql`select * from x`.execute(databases.read)), 'a read')
  t.notOk(
    await tells(databases, () =>
      inTransaction(databases, async trx => {
        await insert.execute(trx)
        throw new Error('no')
      }).catch(() => undefined),
    ),
    'a rollback',
  )
  await inTransaction(databases, async trx => {
    t.notOk(await tells(databases, () => insert.execute(trx)), 'an uncommitted write')
  })
})

t.test('a shared connection has a version of its own commits, and none inside a transaction', async t => {
  const databases = openSnapshot()
  t.teardown(() => databases.close())
  databases.raw.write.exec('create table x (y integer) strict')
  t.ok(await tells(databases, () => insert.execute(databases.write)))
  t.notOk(await tells(databases, () => sql`select * from x`.execute(databases.read)))
  await inTransaction(databases, async trx => {
    await insert.execute(trx)
    t.equal(databases.version(), undefined)
  })
})

t.test('while a command holds the lock, writers wait and nobody else does', async t => {
  const { path, databases } = aFile(t)
  const beside = new Sqlite(path)
  t.teardown(() => beside.close())
  beside.exec('begin immediate; insert into x values (7)')
  let isDone = false
  const writers = Promise.all([
    inTransaction(databases, trx => insert.execute(trx)),
    insert.execute(databases.write),
  ]).then(() => {
    isDone = true
  })
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise(resolve => setTimeout(resolve, 10))
    t.same((await sql`select count(*) as n from x`.execute(databases.read)).rows, [{ n: 0 }])
    t.notOk(isDone)
  }
  beside.exec('commit')
  await writers
  t.same((await sql`select count(*) as n from x`.execute(databases.read)).rows, [{ n: 3 }])
})

t.test('a full disk is reported as full, and later writes succeed again', async t => {
  const { databases } = aFile(t)
  const write = databases.raw.write
  write.exec('create table heap (bytes blob) strict')
  const most = Number(write.pragma('max_page_count', { simple: true }))
  const heap = (pages: number) =>
    inTransaction(databases, trx => sql`insert into heap values (zeroblob(${4096 * pages}))`.execute(trx))
  write.pragma(`max_page_count = ${Number(write.pragma('page_count', { simple: true })) + 5}`)
  await t.rejects(heap(50), { code: 'SQLITE_FULL' })
  t.notOk(write.inTransaction)
  write.pragma(`max_page_count = ${most}`)
  await heap(50)
  t.same((await sql`select count(*) as n from heap`.execute(databases.read)).rows, [{ n: 1 }])
})

t.test('writers that wait for a lock time out together, not one after another', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-db-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'recado.db')
  const longestLockMs = 500
  const databases = openDatabase(path, { longestLockMs })
  t.teardown(() => databases.close())
  databases.raw.write.exec('create table x (y integer) strict')
  const other = new Sqlite(path)
  other.exec('begin immediate')
  const began = performance.now()
  const write = () => inTransaction(databases, trx => sql`insert into x values (1)`.execute(trx))
  const ends = await Promise.allSettled(Array.from({ length: 20 }, write))
  t.ok(ends.every(end => end.status === 'rejected' && end.reason.code === 'SQLITE_BUSY'))
  // Consecutive deadlines would take at least this long on any machine.
  t.ok(performance.now() - began < ends.length * longestLockMs, 'twenty writers do not wait twenty times as long')
  other.exec('rollback')
  other.close()
  await write()
  t.equal(databases.raw.read.prepare('select count(*) from x').pluck().get(), 1, 'and the next writer writes')
})

t.test('queued writers yield to the event loop, and keep their order', async t => {
  const databases = openSnapshot(undefined, countedTurn())
  t.teardown(() => databases.close())
  databases.raw.write.exec('create table x (y integer) strict')
  const most = await countPerTurn(count =>
    Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        inTransaction(databases, async trx => {
          count()
          await sql`insert into x values (${i})`.execute(trx)
        }),
      ),
    ),
  )
  t.ok(most <= maxPerTurn, `${most} in one turn`)
  const { rows } = await sql<{ y: number }>`select y from x order by rowid`.execute(databases.read)
  t.strictSame(
    rows.map(row => row.y),
    Array.from({ length: 100 }, (_, i) => i),
  )
})

t.test('a transaction of many statements yields to the event loop between them', async t => {
  const databases = openSnapshot(undefined, countedTurn())
  t.teardown(() => databases.close())
  const most = await countPerTurn(count =>
    databases.write.transaction().execute(async trx => {
      for (let i = 0; i < 100; i += 1) {
        await sql`select 1`.execute(trx)
        count()
      }
    }),
  )
  t.ok(most <= maxPerTurn, `${most} in one turn`)
})

t.test('a frequent statement is parsed once, however many others are run', async t => {
  const { databases } = aFile(t)
  const { write } = databases.raw
  const { prepare } = write
  const parsed: string[] = []
  write.prepare = ((source: string) => {
    parsed.push(source)
    return prepare.call(write, source)
  }) as typeof prepare
  for (let i = 0; i < 1000; i += 1) {
    await sql`select 1 as again`.execute(databases.write)
    await sql`select ${sql.lit(i)} as once`.execute(databases.write)
  }
  t.equal(parsed.filter(source => source.includes('again')).length, 1)
  t.equal(parsed.filter(source => source.includes('once')).length, 1000)
})
