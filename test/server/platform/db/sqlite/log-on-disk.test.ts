import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { waitingPages } from '#server/platform/db/sqlite/log-pages.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'

/** A database whose disk answers when the test lets it. */
const onSlowDisk = (t: Test) => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-db-'))
  const runs: PromiseWithResolvers<void>[] = []
  let isSlow = false
  const databases = openDatabase(join(folder, 'recado.db'), {
    forceToDisk: async () => {
      if (!isSlow) return
      const run = Promise.withResolvers<void>()
      runs.push(run)
      await run.promise
    },
  })
  databases.raw.write.exec('create table x (y integer) strict')
  isSlow = true
  t.teardown(async () => {
    isSlow = false
    for (const run of runs) run.resolve()
    await databases.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const count = async () => (await sql<{ n: number }>`select count(*) as n from x`.execute(databases.read)).rows[0]?.n
  return { databases, runs, count, insert: sql`insert into x values (1)` }
}

/** Lets everything proceed that does not need the disk. */
const turns = async () => {
  for (let i = 0; i < 20; i += 1) await nextTurn()
}

const isThrough = (writing: Promise<unknown>) => {
  let isOver = false
  writing.then(
    () => {
      isOver = true
    },
    () => {
      isOver = true
    },
  )
  return () => isOver
}

t.test('a writer is answered when its commit is on the disk, and does not block writers until then', async t => {
  const { databases, runs, count, insert } = onSlowDisk(t)
  const first = isThrough(inTransaction(databases, trx => insert.execute(trx)))
  await turns()
  t.equal(await count(), 1)
  t.notOk(first(), 'the disk write is running')
  const second = isThrough(insert.execute(databases.write))
  const third = isThrough(inTransaction(databases, trx => insert.execute(trx)))
  await turns()
  t.equal(await count(), 3, 'others commit in the meantime')
  t.equal(runs.length, 1)
  runs[0]?.resolve()
  await turns()
  t.ok(first())
  t.equal(runs.length, 2, 'a commit during a disk write needs another one')
  t.notOk(second() || third())
  runs[1]?.resolve()
  await turns()
  t.ok(second() && third(), 'one disk write for both')
})

t.test('reads and rollbacks cause no fsync', async t => {
  const { databases, runs, insert } = onSlowDisk(t)
  await databases.write
    .selectFrom('sqlite_master' as never)
    .selectAll()
    .execute()
  const undone = inTransaction(databases, async trx => {
    await insert.execute(trx)
    throw new Error('no')
  })
  await t.rejects(undone, { message: 'no' })
  t.equal(runs.length, 0)
})

t.test('a failed disk is trusted again after a complete checkpoint', async t => {
  const { databases, runs, count, insert } = onSlowDisk(t)
  const failing = insert.execute(databases.write)
  failing.catch(() => undefined)
  await turns()
  runs[0]?.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
  const error = await failing.then(
    () => undefined,
    (error: unknown) => error,
  )
  t.match(error, { code: 'SQLITE_IOERR_FSYNC', cause: { code: 'EIO' } })
  t.ok(isDatabaseTrouble(error))
  t.not(waitingPages(databases.raw.write), 0)

  databases.raw.read.exec('begin')
  t.equal(await count(), 1)
  await insert.execute(databases.write).then(
    () => t.fail('the log is still being read: it cannot be checkpointed'),
    error => t.match(error, { code: 'SQLITE_IOERR_FSYNC' }),
  )
  t.equal(runs.length, 1, 'the disk, which would report success, was not asked')
  databases.raw.read.exec('commit')

  const third = isThrough(insert.execute(databases.write))
  await turns()
  t.equal(waitingPages(databases.raw.write), 0, 'checkpointed')
  runs[1]?.resolve()
  await turns()
  t.ok(third())
})
