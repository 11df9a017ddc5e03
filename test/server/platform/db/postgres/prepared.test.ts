import { CompiledQuery } from 'kysely'
import t from 'tap'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { StatementNames } from '#server/platform/db/postgres/prepared.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a statement has a name from its third time on, until it is forgotten', async t => {
  const names = new StatementNames()
  const ask = (text: string, times: number) => Array.from({ length: times }, () => names.nameOf(text)).at(-1)
  t.equal(ask('select 1', 2), undefined)
  const first = ask('select 1', 1)
  t.ok(first)
  t.equal(ask('select 1', 5), first)
  t.not(ask('select 2', 3), first)
  names.forget('select 1')
  t.equal(ask('select 1', 2), undefined)
  t.not(ask('select 1', 1), first, 'the server has cached the old name with another plan')
})

t.test('the number of named statements is limited', async t => {
  const names = new StatementNames()
  for (let round = 0; round < 3; round += 1) for (let i = 0; i < 1000; i += 1) names.nameOf(`select ${i}`)
  const named = Array.from({ length: 1000 }, (_, i) => names.nameOf(`select ${i}`)).filter(Boolean)
  t.equal(named.length, 400)
  t.equal(new Set(named).size, 400)
})

t.test('the server keeps plans, and a changed table causes no error', async t => {
  const server = await postgresServer()
  const name = await server.createDatabase()
  await server.run('create table thing (id int, name text)', name)
  await server.run("insert into thing values (1, 'one')", name)
  const databases = openUrl(server.urlOf(name))
  t.teardown(() => databases.close())
  const find = async (db: Db) =>
    (await db.executeQuery<object>(CompiledQuery.raw('select * from thing where id = $1', [1]))).rows
  const kept = async (db: Db) =>
    (await db.executeQuery(CompiledQuery.raw('select name from pg_prepared_statements'))).rows.length

  for (let i = 0; i < 3; i += 1) t.same(await find(databases.write), [{ id: 1, name: 'one' }])
  t.equal(await kept(databases.write), 1)
  await server.run("alter table thing add column colour text default 'red'", name)
  t.same(await find(databases.write), [{ id: 1, name: 'one', colour: 'red' }])

  for (let i = 0; i < 3; i += 1) await find(databases.write)
  await server.run('alter table thing drop column name', name)
  await t.rejects(inTransaction(databases, find), { code: '0A000' })
  t.same(await inTransaction(databases, find), [{ id: 1, colour: 'red' }], 'the next time')
})
