import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { migrate } from '#server/platform/db/migrate.ts'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'
import { examinePostgres } from '#server/platform/db/postgres/examine.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { type OwnPostgres, startPostgres } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { postgresWay } from '#test/helpers/postgres-way.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`

const ask = async ({ port }: OwnPostgres, statement: string) => {
  const client = new pg.Client(urlAt(port))
  await client.connect()
  try {
    return (await client.query(statement)).rows[0]?.value as unknown
  } finally {
    await client.end()
  }
}

/** Waits until everything written to one server has arrived at the other. */
const untilCaughtUp = async (one: OwnPostgres, other: OwnPostgres) => {
  const written = await ask(one, 'select pg_current_wal_lsn() as value')
  while (!(await ask(other, `select pg_last_wal_replay_lsn() >= '${written}'::pg_lsn as value`))) await pause(20)
}

const aPair = async () => {
  const first = await startPostgres()
  t.teardown(() => first.stop())
  const databases = openUrl(urlAt(first.port))
  await migrate(databases.write)
  await databases.close()
  const replica = await first.replica()
  t.teardown(() => replica.stop())
  return { first, replica }
}

const pair = await aPair()

t.test('no server starts on a replica', async t => {
  const url = urlAt(pair.replica.port)
  const { address } = readPostgresUrl(url)
  if (!address) throw new Error('no address')
  const databases = openUrl(url)
  t.teardown(() => databases.close())
  await t.rejects(examinePostgres(databases.write, address), {
    name: 'InstallationFault',
    message: /^"postgres" is a replica that only reads: name the server that writes in DATABASE_URL$/,
  })
})

t.test('when a replica takes over, refused calls succeed again, once, without a restart', async t => {
  const { first, replica } = pair
  const way = await postgresWay(t, first.port)
  const databases = openUrl(urlAt(way.port))
  const backend = await startBackend(t, { databases })
  const { cookie } = await aMember({ databases })
  const list = () => backend.inject({ url: '/api/whatsapp/tags', headers: { cookie } })
  const add = (label: string) =>
    backend.inject({ method: 'POST', url: '/api/whatsapp/tags', headers: { cookie }, payload: { label } })
  const isReady = async () => {
    backend.clock.advance(5_000)
    return (await backend.inject({ url: '/readyz' })).statusCode
  }
  const webhook = () => backend.inject({ method: 'POST', url: '/webhooks/whatsapp/nobody', payload: {} })
  t.equal((await add('Mayorista')).statusCode, 201)
  t.equal(await isReady(), 200)
  await untilCaughtUp(first, replica)

  // The address already leads to the replica, which is not promoted yet: reads there may be stale.
  way.lead(replica.port)
  way.drop()
  for (const call of [() => add('Minorista'), list, webhook]) {
    const { statusCode, headers } = await call()
    t.equal(statusCode, 503)
    t.match(headers['retry-after'], /^\d+$/)
  }
  t.equal(await isReady(), 503)
  t.equal((await backend.inject({ url: '/healthz' })).statusCode, 200)

  // It was redirected too early: no connection stays behind, so the first server is used again.
  way.lead(first.port)
  t.equal((await add('Minorista')).statusCode, 201, 'from the next call on')
  await untilCaughtUp(first, replica)

  way.lead(replica.port)
  await first.crash()
  t.equal((await add('Distribuidor')).statusCode, 503)
  await ask(replica, 'select pg_promote() as value')
  t.equal((await add('Distribuidor')).statusCode, 201)
  t.same(
    (await databases.read.selectFrom('tag').select('label').orderBy('label').execute()).map(({ label }) => label),
    ['Distribuidor', 'Mayorista', 'Minorista'],
  )
  t.equal((await list()).statusCode, 200)
  t.equal(await isReady(), 200)
  await backend.close()
  await databases.close()
})
