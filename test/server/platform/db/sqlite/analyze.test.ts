import Sqlite from 'better-sqlite3'
import t from 'tap'
import { analyze } from '#server/platform/db/sqlite/analyze.ts'

t.test('a table that was small when analyzed is found by its index when it has grown', async t => {
  const db = new Sqlite(':memory:')
  t.teardown(() => db.close())
  db.exec('create table thing (id text primary key, kind text); create index thing_kind on thing (kind)')
  const insert = db.prepare('insert into thing values (?, ?)')
  insert.run('first', 'a')
  const plan = () =>
    (db.prepare("explain query plan select id from thing where kind in ('a', 'b')").get() as { detail: string }).detail
  db.exec('analyze')
  t.match(plan(), /^SCAN/, 'what statistics of one row do')
  analyze(db)
  t.match(plan(), /USING INDEX thing_kind/)
  for (let i = 0; i < 5_000; i += 1) insert.run(`${i}`, i % 2 ? 'a' : 'c')
  analyze(db)
  t.ok(db.prepare("select 1 from sqlite_stat1 where tbl = 'thing'").get(), 'a large table keeps its statistics')
})
