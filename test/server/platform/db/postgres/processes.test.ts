import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { createJournal } from '#server/messaging/intake/journal.ts'
import { journalState } from '#server/messaging/intake/table.ts'
import { type Databases, inJournalTransaction, inTransaction } from '#server/platform/db/db.ts'
import { handClock } from '#test/helpers/clock.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'

/** The same database opened by several processes. */
const open = async (t: Test, count: number): Promise<Databases[]> => {
  const server = await postgresServer()
  const url = server.urlOf(await server.createDatabase(await migratedPostgres()))
  const processes = Array.from({ length: count }, () => openUrl(url))
  t.teardown(() => Promise.all(processes.map(one => one.close())))
  return processes
}
const pair = async (t: Test) => (await open(t, 2)) as [Databases, Databases]

const heard = ({ signals }: Databases, topic: Parameters<typeof signals.hear>[0]) => {
  const words: string[] = []
  let onWord = () => {}
  let looks = 0
  signals.hear(topic, detail => {
    if (detail === undefined) looks += 1
    else words.push(detail)
    onWord()
  })
  return {
    words,
    until: (isEnough: (seen: { words: readonly string[]; looks: number }) => boolean) =>
      new Promise<void>(resolve => {
        // Listening keeps no process alive.
        const alive = setInterval(() => {}, 1000)
        onWord = () => {
          if (!isEnough({ words, looks })) return
          clearInterval(alive)
          resolve()
        }
        onWord()
      }),
  }
}

/** Waits until the listening connection is open; messages before that are lost. */
const untilHeard = async (from: Databases, by: Databases) => {
  const { words, until } = heard(by, 'streams')
  const timer = setInterval(() => from.signals.send('streams', 'there?'), 20)
  await until(() => words.length > 0)
  clearInterval(timer)
}

t.test('transactions of all processes run one after another', async t => {
  const processes = await open(t, 3)
  const add = (databases: Databases) =>
    inTransaction(databases, async trx => {
      const row = await trx.selectFrom('sign_in_budget').select('used').where('key', '=', 'k').executeTakeFirst()
      const facts = { key: 'k', used: (row?.used ?? 0) + 1, window_ends_at: 'z' }
      await trx
        .insertInto('sign_in_budget')
        .values(facts)
        .onConflict(conflict => conflict.column('key').doUpdateSet(facts))
        .execute()
    })
  await Promise.all(Array.from({ length: 60 }, (_, n) => add(processes[n % 3] as Databases)))
  const { used } = await (processes[0] as Databases).read
    .selectFrom('sign_in_budget')
    .select('used')
    .executeTakeFirstOrThrow()
  t.equal(used, 60, 'what was read was unchanged at the time of writing')
})

t.test('a webhook never becomes visible before one with a lower number from another process', async t => {
  const [one, other] = await pair(t)
  const [written, standing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = inJournalTransaction(one, async trx => {
    const facts = { connection_id: 'c', received_at: 'a', state: journalState.waiting }
    await trx
      .insertInto('webhook_journal')
      .values({ ...facts, raw: Buffer.from('first') })
      .execute()
    written.resolve()
    await standing.promise
  })
  await written.promise
  let isAnswered = false
  const second = createJournal({ databases: other, clock: handClock() })
    .append({ connectionId: 'c', raw: Buffer.from('second') })
    .then(async () => {
      const rows = await other.read.selectFrom('webhook_journal').select('raw').orderBy('seq').execute()
      isAnswered = true
      return rows
    })
  const waits = sql`select 1 from pg_locks where locktype = 'advisory' and not granted and database =
    (select oid from pg_database where datname = current_database())`
  while (!isAnswered && !(await waits.execute(one.read)).rows.length);
  standing.resolve()
  await first
  t.same(
    (await second).map(({ raw }) => String(raw)),
    ['first', 'second'],
  )
})

t.test('storing a webhook does not wait for other writers', async t => {
  const [one, other] = await pair(t)
  const [begun, standing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = inTransaction(one, async () => {
    begun.resolve()
    await standing.promise
  })
  await begun.promise
  for (const databases of [one, other])
    await createJournal({ databases, clock: handClock() }).append({ connectionId: 'c', raw: Buffer.from('x') })
  t.equal((await other.read.selectFrom('webhook_journal').select('seq').execute()).length, 2)
  standing.resolve()
  await work
})

t.test('a process that hangs in a transaction blocks other writers only for a limited time', async t => {
  const server = await postgresServer()
  const url = server.urlOf(await server.createDatabase(await migratedPostgres()))
  const [still, other] = [openUrl(`${url}?statement_timeout=1`), openUrl(url)]
  t.teardown(() => Promise.all([still.close(), other.close()]))
  let goOn = () => {}
  const standing = new Promise<void>(resolve => {
    goOn = resolve
  })
  const begun = Promise.withResolvers<void>()
  const first = inTransaction(still, async trx => {
    await sql`select 1`.execute(trx)
    begun.resolve()
    await standing
    await sql`select 1`.execute(trx)
  })
  first.catch(() => undefined)
  await begun.promise
  await inTransaction(other, trx => sql`select 1`.execute(trx))
  goOn()
  await t.rejects(first, 'its own transaction fails')
})

t.test('the version changes with every commit of any process, and with nothing else', async t => {
  const [one, other] = await pair(t)
  const write = ({ write }: Databases, key: string) =>
    write.insertInto('sign_in_budget').values({ key, used: 1, window_ends_at: 'z' }).execute()
  // Transaction numbers are of the whole server, where other tests commit too, in databases of their own.
  const atLeastOnce = async (isSo: () => Promise<boolean>) => {
    for (let tries = 0; tries < 200; tries += 1) if (await isSo()) return true
    return false
  }
  const staysByReading = async () => {
    const before = await one.version()
    await one.read.selectFrom('sign_in_budget').selectAll().execute()
    return (await one.version()) === before
  }
  t.ok(await atLeastOnce(staysByReading), 'reading does not change it')
  const before = await one.version()
  await write(other, 'a')
  const after = await one.version()
  t.not(after, before, "another process's commit")
  await write(one, 'b')
  t.not(await one.version(), after, 'its own commit')
  const isTheSame = async () => (await one.version()) === (await other.version())
  t.ok(await atLeastOnce(isTheSame), 'all processes see the same version')
})

t.test('signals reach the other processes in order, and never the sender', async t => {
  const [one, other] = await pair(t)
  const [own, theirs] = [heard(one, 'events'), heard(other, 'events')]
  await untilHeard(one, other)
  const notices = Array.from({ length: 400 }, (_, n) => `org-of-a-realistic-length-${n} ${n}`)
  for (const word of notices) one.signals.send('events', word)
  await theirs.until(({ words }) => words.length === notices.length)
  t.same(theirs.words, notices, 'more than fits in one notification')
  t.same(own.words, [])
})

t.test('a listener is also called periodically, and listens again after a lost connection', async t => {
  const [one, other] = await pair(t)
  heard(one, 'journal')
  const theirs = heard(other, 'journal')
  await theirs.until(({ looks }) => looks >= 2)
  await untilHeard(one, other)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(one.read)
  const timer = setInterval(() => one.signals.send('journal', 'again'), 50)
  await theirs.until(({ words }) => words.length > 0)
  clearInterval(timer)
  t.equal(theirs.words[0], 'again')
})
