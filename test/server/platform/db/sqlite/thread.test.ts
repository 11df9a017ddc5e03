/** Work on the file that cannot be split into short steps is done by another thread. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import type { Databases } from '#server/platform/db/db.ts'
import { emptyLog } from '#server/platform/db/empty-log.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { purgeWords } from '#server/platform/db/purge-words.ts'
import { waitingPages } from '#server/platform/db/sqlite/log-pages.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { runInThread } from '#server/platform/db/sqlite/thread.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const inFile = async (t: Test) => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-beside-'))
  const path = join(folder, 'recado.db')
  const databases = openDatabase(path)
  t.teardown(async () => {
    await databases.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(databases.write)
  return { path, databases }
}

const addWords = ({ raw }: Databases, from: number, count: number, word: string) => {
  const add = raw.write.prepare('insert into message_index (rowid, terms) values (?, ?)')
  raw.write.transaction(() => {
    for (let n = from; n < from + count; n += 1) add.run(n, `${word} palabra${n}`)
  })()
}
/** Polls in each turn of the event loop; a test that waits in vain times out. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve))
}
const purgeAll = async (databases: Databases): Promise<void> => {
  for (let isFirst = true; await purgeWords(databases, isFirst); ) isFirst = false
}

testOnSqlite('the word index is rewritten without using the serving connection', async t => {
  const { path, databases } = await inFile(t)
  addWords(databases, 1, 300, 'xilofonista')
  addWords(databases, 301, 300, 'panadero')
  databases.raw.write.exec('delete from message_index where rowid <= 300')
  const asked: string[] = []
  const { prepare } = databases.raw.write
  databases.raw.write.prepare = ((source: string) => {
    asked.push(source)
    return prepare.call(databases.raw.write, source)
  }) as typeof prepare
  await purgeAll(databases)
  t.ok(await emptyLog(databases))
  t.same(asked, [])
  t.notMatch(readFileSync(path, 'latin1'), /xilofonista/)
  const found = databases.raw.read.prepare('select rowid from message_index where message_index match ?').pluck()
  t.equal(found.all('panadero').length, 300, 'remaining words are found')
  t.same(found.all('xilofonista'), [])
})

testOnSqlite('the log is emptied, but not while a reader uses it', async t => {
  const { path, databases } = await inFile(t)
  addWords(databases, 1, 10, 'panadero')
  const { read } = databases.raw
  read.exec('begin')
  read.prepare('select count(*) from message_index').get()
  addWords(databases, 11, 10, 'panadero')
  t.equal(await emptyLog(databases), false)
  read.exec('rollback')
  t.equal(await emptyLog(databases), true)
  t.equal(statSync(`${path}-wal`).size, 0)
})

testOnSqlite('writes go on during the merge, and a failing thread rejects the call', async t => {
  const { path, databases } = await inFile(t)
  addWords(databases, 1, 2000, 'panadero')
  databases.raw.write.exec('create table note (n)')
  const purged = purgeAll(databases)
  for (let n = 0; n < 20; n += 1) await sql`insert into note values (${n})`.execute(databases.write)
  await purged
  t.equal(databases.raw.read.prepare('select count(*) from note').pluck().get(), 20)
  const nowhere = { ...databases, raw: { ...databases.raw, write: { name: `${path}.gone` } } } as unknown as Databases
  await t.rejects(Promise.resolve(runInThread(nowhere, { what: 'emptyLog' })), /unable to open|directory/)
})

testOnSqlite('a database in memory uses its own connection instead of a thread', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  t.equal(runInThread(databases, { what: 'emptyLog' }), undefined)
  addWords(databases, 1, 50, 'panadero')
  await purgeAll(databases)
  t.equal(await emptyLog(databases), true)
})

testOnSqlite('the log of many commits is checkpointed by another thread', async t => {
  const { path, databases } = await inFile(t)
  const { write } = databases.raw
  // No commit checkpoints.
  write.pragma('wal_autocheckpoint = 0')
  write.exec('create table filling (id integer primary key, text text)')
  const sizeAtFirst = statSync(path).size
  for (let i = 0; i < 400; i += 1)
    await databases.write
      .transaction()
      .execute(trx => sql`insert into filling (text) values (${'x'.repeat(20_000)})`.execute(trx))
  await until(() => statSync(path).size > sizeAtFirst + 1_000_000 && waitingPages(write) < 1000)
  t.equal(write.prepare('select count(*) from filling').pluck().get(), 400)
})
