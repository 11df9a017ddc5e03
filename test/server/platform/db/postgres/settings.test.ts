import { createServer } from 'node:net'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'
import { examinePostgres } from '#server/platform/db/postgres/examine.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { postgresWay } from '#test/helpers/postgres-way.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { tlsFile, tlsPostgres } from '#test/helpers/tls-postgres.ts'

t.setTimeout(fileTimeoutMs)

const server = await postgresServer()

const addressOf = (host: string, port: number, database: string, query: string) =>
  `postgres://postgres@${host}:${port}/${database}?${query}`

/** What a start with this address prints; undefined: it starts. */
const saysOf = async (url: string): Promise<string | undefined> => {
  const { address, faults } = readPostgresUrl(url)
  if (!address) throw new Error(faults.join('\n'))
  const databases = openUrl(url)
  try {
    await examinePostgres(databases.read, address)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await databases.close()
  }
}

t.test('sslmode and sslrootcert: the server is verified as they say', async t => {
  const name = await server.createDatabase()
  const { port, sealed } = await tlsPostgres(t, server.port)
  const [authority, stranger] = [tlsFile('authority.pem'), tlsFile('stranger.pem')]
  const says = (host: string, query: string) => saysOf(addressOf(host, port, name, query))

  t.match(await says('localhost', 'sslmode=disable'), /does not answer at localhost/, 'the server accepts only TLS')
  t.equal(sealed(), 0)
  t.equal(await says('127.0.0.1', 'sslmode=require'), undefined)
  t.ok(sealed() > 0, 'that connection used TLS')

  t.match(await says('localhost', 'sslmode=verify-full'), /does not answer .*correct host, port and sslmode/)
  t.equal(await says('localhost', `sslmode=verify-full&sslrootcert=${authority}`), undefined)
  t.match(await says('localhost', `sslmode=verify-full&sslrootcert=${stranger}`), /does not answer/)
  t.match(
    await says('127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`),
    /does not answer/,
    'another host name',
  )

  t.equal(
    await says('127.0.0.1', `sslmode=verify-ca&sslrootcert=${authority}`),
    undefined,
    'regardless of the host name',
  )
  t.match(await says('127.0.0.1', `sslmode=verify-ca&sslrootcert=${stranger}`), /does not answer/)
})

t.test('connect_timeout: a server that accepts and stays silent is given up', async t => {
  const silent = createServer(socket => void socket.on('error', () => undefined))
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void silent.close())
  const { port } = silent.address() as { port: number }
  t.match(await saysOf(addressOf('127.0.0.1', port, 'recado', 'connect_timeout=1')), /does not answer at 127\.0\.0\.1/)
})

t.test('statement_timeout: the server ends longer statements, and the error is temporary', async t => {
  const databases = openUrl(server.urlOf(await server.createDatabase(), { query: 'statement_timeout=1' }))
  t.teardown(() => databases.close())
  for (const db of [databases.read, databases.write]) {
    const error = await sql`select pg_sleep(600)`.execute(db).catch(error => error as Error)
    t.match(error, { code: '57014' })
    t.ok(isDatabaseTrouble(error))
  }
})

/** Connections of programs only: the server's own processes connect briefly too. */
const connectionsTo = async (name: string): Promise<number> => {
  const [row] = await server.run(
    `select count(*) as n from pg_stat_activity where datname = '${name}' and backend_type = 'client backend'`,
  )
  return Number(row?.n)
}

t.test('pool: never more connections than configured', async (t: Test) => {
  const name = await server.createDatabase()
  const databases = openUrl(server.urlOf(name, { query: 'pool=4' }))
  t.teardown(() => databases.close())
  databases.signals.hear('journal', () => undefined)
  const asked = Array.from({ length: 20 }, (_, n) =>
    n % 2
      ? sql`select pg_sleep(0.02)`.execute(databases.read)
      : inTransaction(databases, trx => sql`select pg_sleep(0.02)`.execute(trx)),
  )
  let most = 0
  let isDone = false
  const all = Promise.all(asked).finally(() => {
    isDone = true
  })
  while (!isDone) most = Math.max(most, await connectionsTo(name))
  await all
  most = Math.max(most, await connectionsTo(name))
  t.ok(most > 2 && most <= 4, `${most} at most`)
})

t.test('idle_timeout: an unused connection is closed', async t => {
  const way = await postgresWay(t, server.port)
  const name = await server.createDatabase()
  const databases = openUrl(addressOf('127.0.0.1', way.port, name, 'idle_timeout=1'))
  t.teardown(() => databases.close())
  await sql`select 1`.execute(databases.read)
  await sql`select 1`.execute(databases.write)
  t.equal(await connectionsTo(name), 2)
  while ((await connectionsTo(name)) > 0);
  t.equal((await sql`select 1`.execute(databases.read)).rows.length, 1, 'and the next one opens another')
})
