import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { listTableNames, migrate, pendingMigrations } from '#server/platform/db/migrate.ts'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'
import { countOthers, countTables, setSchemaAside } from '#server/platform/db/postgres/copy-store.ts'
import { examinePostgres, examinePostgresTarget } from '#server/platform/db/postgres/examine.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const server = await postgresServer()

const openIn = (t: Test, database: string, schema: string, user?: string): Databases => {
  const databases = openUrl(server.urlOf(database, { query: `schema=${schema}`, ...(user ? { user } : {}) }))
  t.teardown(() => databases.close())
  return databases
}

/** What a start, or a move to this schema, prints; undefined: it goes ahead. */
const saysOf = async (
  t: Test,
  database: string,
  { schema, user, asks = examinePostgres }: { schema: string; user?: string; asks?: typeof examinePostgres },
): Promise<string | undefined> => {
  const { address } = readPostgresUrl(server.urlOf(database, { query: `schema=${schema}`, ...(user ? { user } : {}) }))
  if (!address) throw new Error('no address')
  return asks(openIn(t, database, schema, user).write, address).then(
    () => undefined,
    error => (error as Error).message,
  )
}

const budget = (key: string) => ({ key, used: 1, window_ends_at: 'z' })
const keysOf = async ({ read }: Databases) =>
  (await read.selectFrom('sign_in_budget').select('key').execute()).map(({ key }) => key)

t.test('two installations in two schemas of one database are independent', async t => {
  const name = await server.createDatabase()
  const [one, other] = [openIn(t, name, 'north'), openIn(t, name, 'south')]
  t.ok((await migrate(one.write)).length > 0, 'its schema is created')
  t.equal((await listTableNames(other.read)).size, 0)
  t.ok((await pendingMigrations(other.read)).length > 0, 'migrations of one have not run in the other')
  await migrate(other.write)
  t.same(await listTableNames(other.read), await listTableNames(one.read))
  t.same(await server.run("select tablename from pg_tables where schemaname = 'public'", name), [])

  await one.write.insertInto('sign_in_budget').values(budget('a')).execute()
  t.same([await keysOf(one), await keysOf(other)], [['a'], []])
  await inTransaction(one, async trx => {
    await trx.insertInto('sign_in_budget').values(budget('b')).execute()
    await inTransaction(other, next => next.insertInto('sign_in_budget').values(budget('c')).execute())
  })
  t.same(await keysOf(other), ['c'], 'a transaction of one does not wait for the other')

  const again = openIn(t, name, 'north')
  const heard = { again: [] as string[], other: [] as string[] }
  again.signals.hear('streams', word => word && heard.again.push(word))
  other.signals.hear('streams', word => word && heard.other.push(word))
  one.signals.hear('streams', () => undefined)
  await new Promise<void>(resolve => {
    const timer = setInterval(() => {
      one.signals.send('streams', `there? ${performance.now()}`)
      // The other process has sent nothing, so a message heard here would be its own.
      if (heard.again.length < 3) return
      clearInterval(timer)
      resolve()
    }, 20)
  })
  t.same(heard.other, [], 'and it hears no signal of the other')
  t.equal(await countOthers(openIn(t, name, 'west').read), 0, 'a third schema has no processes')
  t.ok((await countOthers(one.read)) > 0)
})

t.test('setting one schema aside does not affect the other', async t => {
  const name = await server.createDatabase()
  const [one, other] = [openIn(t, name, 'north'), openIn(t, name, 'south')]
  await migrate(one.write)
  await migrate(other.write)
  const tables = await countTables(other.read)
  await setSchemaAside(one.write, 'before')
  t.equal(await countTables(one.read), 0)
  t.equal(await countTables(other.read), tables)
})

t.test('several processes that start at once make one schema', async t => {
  const name = await server.createDatabase()
  const processes = Array.from({ length: 3 }, () => openIn(t, name, 'north'))
  const ran = await Promise.all(processes.map(({ write }) => migrate(write)))
  t.equal(ran.filter(names => names.length > 0).length, 1)
})

t.test('an unusable schema is named with its fix', async t => {
  const name = await server.createDatabase()
  const user = `of_schemas_${process.pid}`
  await server.run(`create role ${user} login`)
  await server.run('create schema theirs; create table theirs.invoice (id int); create schema empty', name)
  t.equal(await saysOf(t, name, { schema: 'later' }), undefined)
  t.equal(
    await saysOf(t, name, { schema: 'later', user }),
    `There is no schema later in "${name}", and "${user}" may not make one: run there: create schema later authorization "${user}"`,
  )
  t.equal(
    await saysOf(t, name, { schema: 'empty', user }),
    `"${user}" may not make tables in the schema empty of "${name}": run there: grant create, usage on schema empty to "${user}"`,
  )
  t.equal(
    await saysOf(t, name, { schema: 'theirs' }),
    `The schema theirs of "${name}" has 1 tables that are not Recado's: name another schema in DATABASE_URL`,
  )
  t.equal(
    await saysOf(t, name, { schema: 'theirs', asks: examinePostgresTarget }),
    `The schema theirs of "${name}" is not empty: it has 1 tables: name another schema in DATABASE_URL`,
  )
  await server.run(`create schema ours authorization ${user}`, name)
  t.equal(await saysOf(t, name, { schema: 'ours', user }), undefined)
  const ours = openIn(t, name, 'ours', user)
  await migrate(ours.write)
  t.equal(await saysOf(t, name, { schema: 'ours', user }), undefined, 'an account that owns nothing else suffices')
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(ours.read)
  t.same(rows, [{ name: 'ours' }])
})

t.test('a schema name that would need quotes is refused', t => {
  const faultsOf = (schema: string) => readPostgresUrl(`postgres://ana@db/recado?schema=${schema}`).faults
  for (const schema of ['Recado', '1a', 'a-b', 'pg_mine', 'information_schema', '', 'a,b', 'a'.repeat(51), '"$user"'])
    t.match(faultsOf(encodeURIComponent(schema)), [/^DATABASE_URL, schema=.* use a name of small letters/], schema)
  t.same(faultsOf('recado_2'), [])
  t.end()
})
