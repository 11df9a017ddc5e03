import { createServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { migrate } from '#server/platform/db/migrate.ts'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'
import { examinePostgres, serverRefusalOf } from '#server/platform/db/postgres/examine.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'

const server = await postgresServer()

/** What a start with this address prints; undefined: it starts. */
const faultOf = async (url: string): Promise<string | undefined> => {
  const { address } = readPostgresUrl(url)
  if (!address) throw new Error(`no address: ${url}`)
  const databases = openUrl(url)
  try {
    await examinePostgres(databases.write, address)
    return undefined
  } catch (error) {
    if (error instanceof InstallationFault) return error.message
    throw error
  } finally {
    await databases.close()
  }
}

/** One sentence with its fix, on one line. */
const says = async (t: Test, url: string, pattern: RegExp) => {
  const fault = await faultOf(url)
  t.match(fault, pattern)
  t.notMatch(fault, /\n|secreta/)
}

t.test('an empty database of ours, and a used one, are accepted', async t => {
  const name = await server.createDatabase()
  t.equal(await faultOf(server.urlOf(name)), undefined)
  const databases = openUrl(server.urlOf(name))
  await migrate(databases.write)
  await databases.close()
  t.equal(await faultOf(server.urlOf(name)), undefined)
})

t.test('a database that another process is creating, or was killed while creating, is accepted', async t => {
  const name = await server.createDatabase()
  await server.run(
    'create table kysely_migration (name text, timestamp text); create table kysely_migration_lock (id text)',
    name,
  )
  t.equal(await faultOf(server.urlOf(name)), undefined)
  await server.run('create table invoice (id int)', name)
  await says(t, server.urlOf(name), /has 3 tables that are not Recado's/)
})

t.test('a database that is not there', t =>
  says(t, server.urlOf('nowhere'), /^There is no database "nowhere": make it with: createdb --owner postgres nowhere$/),
)

t.test('an account that may not make tables', async t => {
  const name = await server.createDatabase()
  const guest = `guest_${process.pid}`
  await server.run(`create role ${guest} login`)
  await says(
    t,
    server.urlOf(name, { user: guest }),
    /^"guest_\d+" may not make tables in the schema public of "\w+": run there: grant create, usage on schema public to "guest_\d+"$/,
  )
})

t.test('an account to which the tables do not belong', async t => {
  const name = await server.createDatabase(await migratedPostgres())
  const guest = `other_${process.pid}`
  await server.run(`create role ${guest} login`)
  await server.run(`grant create, usage on schema public to ${guest}`, name)
  await says(
    t,
    server.urlOf(name, { user: guest }),
    /^"\w+" has tables that belong to "postgres", not to "other_\d+": name "postgres" in DATABASE_URL$/,
  )
  await server.run(`grant postgres to ${guest}`)
  t.equal(await faultOf(server.urlOf(name, { user: guest })), undefined, 'a member of the owning role may')
})

t.test('an account that is not there', t =>
  says(t, server.urlOf('postgres', { user: 'nobody' }), /^PostgreSQL does not let "nobody" connect to "postgres"/),
)

t.test('a database with foreign tables is reported', async t => {
  const name = await server.createDatabase()
  await server.run('create table invoice (id int)', name)
  await says(
    t,
    server.urlOf(name),
    /^"\w+" has 1 tables that are not Recado's: make a database of its own: createdb --owner postgres recado$/,
  )
})

t.test('the database of a newer version', async t => {
  const name = await server.createDatabase()
  const databases = openUrl(server.urlOf(name))
  await migrate(databases.write)
  await databases.close()
  await server.run("insert into kysely_migration (name, timestamp) values ('9999-later', 'x')", name)
  await says(t, server.urlOf(name), /^"\w+" is of a newer Recado \(9999-later\): run that version/)
})

t.test('a database whose encoding is not UTF-8 is reported', async t => {
  const name = `latin_${process.pid}`
  await server.run(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  await says(t, server.urlOf(name), /^"latin_\d+" is encoded in LATIN1: make it with: createdb --encoding UTF8/)
})

t.test('an address where no server listens is reported', async t => {
  const url = 'postgres://ana:secreta@127.0.0.1:9/recado'
  await says(t, url, /^PostgreSQL does not answer at 127\.0\.0\.1:9 \(ECONNREFUSED\): start it, or correct host/)
})

t.test('a server that speaks no TLS', t =>
  says(t, server.urlOf('postgres', { query: 'sslmode=require' }), /does not answer at .* \(.*SSL.*\).*sslmode/),
)

/** A server that answers a startup message with this error. */
const refusing = async (t: Test, code: string, message: string): Promise<string> => {
  const listening: Server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
      const head = Buffer.alloc(5)
      head.write('E')
      head.writeInt32BE(fields.length + 4, 1)
      socket.end(Buffer.concat([head, fields]))
    })
  })
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => listening.close(resolve)))
  return `postgres://ana:secreta@127.0.0.1:${(listening.address() as { port: number }).port}/recado`
}

t.test('a wrong password is reported', async t => {
  const url = await refusing(t, '28P01', 'password authentication failed for user "ana"')
  await says(t, url, /^PostgreSQL refused the password of "ana": correct it in DATABASE_URL$/)
})

t.test('a server without a free connection is reported', async t => {
  const url = await refusing(t, '53300', 'sorry, too many clients already')
  await says(t, url, /^PostgreSQL has no connection left: raise its max_connections, or lower pool in DATABASE_URL$/)
})

t.test('a pooler that takes no settings', async t => {
  const url = await refusing(t, '08P01', 'unsupported startup parameter: options')
  await says(t, url, /takes no settings with a connection, as PgBouncer does: name PostgreSQL itself in DATABASE_URL$/)
})

t.test('a server that is too old', async t => {
  const facts = {
    version: 180_004,
    version_text: '18.4',
    encoding: 'UTF8',
    has_schema: true,
    may_make_schema: true,
    may_create: true,
    tables: 0,
    others: 0,
    own: 0,
    foreign_owner: null,
    is_filling: false,
  }
  const place = { host: 'db', port: 5432, user: 'ana', database: 'recado', schema: 'public' }
  t.equal(serverRefusalOf({ ...facts, version: 150_000 }, place), undefined)
  t.strictSame(serverRefusalOf({ ...facts, version: 140_012, version_text: '14.12' }, place), [
    'PostgreSQL 14.12 is too old',
    'use 15 or newer, and name it in DATABASE_URL',
  ])
})
