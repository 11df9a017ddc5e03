import { sql } from 'kysely'
import t from 'tap'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { freshPostgres } from '#test/helpers/postgres-db.ts'
import { conformance } from '../conformance.ts'

const processOf = async (db: Db): Promise<number> =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid as number

/** Ends a connection on the server, like an operator or a crash. */
const endConnection = (databases: Databases, pid: number) =>
  sql`select pg_terminate_backend(${pid}::int)`.execute(databases.read)

const insert = (db: Db) => sql`insert into sample (name) values ('lost')`.execute(db)

/** Raises an error code that the suite cannot cause otherwise. */
const refusing = (db: Db, code: '40001' | '53100') =>
  sql.raw(`do $$ begin raise exception 'as the server says it' using errcode = '${code}'; end $$`).execute(db)

conformance({
  name: 'PostgreSQL',
  async open(t) {
    const databases = await freshPostgres()
    t.teardown(() => databases.close())
    return databases
  },
  troubles: {
    'a connection that ends in the middle of a transaction': databases =>
      inTransaction(databases, async trx => {
        await insert(trx)
        await endConnection(databases, await processOf(trx))
        await insert(trx)
      }),
    'a connection that ends before the commit': databases =>
      inTransaction(databases, async trx => {
        await insert(trx)
        await endConnection(databases, await processOf(trx))
      }),
    'a statement that takes too long': databases =>
      inTransaction(databases, async trx => {
        await insert(trx)
        await sql`set local statement_timeout = 50`.execute(trx)
        await sql`select pg_sleep(20)`.execute(trx)
      }),
    'a server that only reads': databases =>
      inTransaction(databases, async trx => {
        await sql`set transaction read only`.execute(trx)
        await insert(trx)
      }),
    'what others wrote meanwhile': databases =>
      inTransaction(databases, async trx => {
        await insert(trx)
        await refusing(trx, '40001')
      }),
    'a full disk': databases =>
      inTransaction(databases, async trx => {
        await insert(trx)
        await refusing(trx, '53100')
      }),
    'two that wait for one another': async databases => {
      let arrived = 0
      let meet = () => {}
      const met = new Promise<void>(resolve => {
        meet = resolve
      })
      const lock = (db: Db, key: number) => sql`select pg_advisory_xact_lock(${key}::bigint)`.execute(db)
      const hold = async (db: Db, mine: number, theirs: number) => {
        await lock(db, mine)
        arrived += 1
        if (arrived === 2) meet()
        await met
        await lock(db, theirs)
      }
      const ends = await Promise.allSettled([
        inTransaction(databases, trx => hold(trx, 1, 2)),
        databases.read.transaction().execute(trx => hold(trx as unknown as Db, 2, 1)),
      ])
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
  },
})

t.test('reading connections cannot write', async t => {
  const databases = await freshPostgres()
  t.teardown(() => databases.close())
  await t.rejects(databases.read.deleteFrom('job').execute(), { code: '25006' })
})
