import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { backup } from '#server/cli/backup.ts'
import { examine, type Finding } from '#server/cli/examine.ts'
import { move } from '#server/cli/move.ts'
import { restore } from '#server/cli/restore.ts'
import { getOrCreateOrg } from '#server/cli/seed.ts'
import { seedPostgres } from '#server/cli/seed-postgres.ts'
import { seedVolume } from '#server/cli/seed-volume.ts'
import { indexSlice } from '#server/messaging/search/indexing.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { lockInstallation } from '#server/platform/db/sqlite/process-lock.ts'
import { handClock } from '#test/helpers/clock.ts'
import { migratedSnapshot } from '#test/helpers/db.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'
import { allRows, changedTables } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const server = await postgresServer()
const at = '2026-11-20T13:00:00.000Z'
const secret = 'the-secret-of-this-installation-0123456789'

const configOf = (dataDir: string, url?: string): Config =>
  readConfig({ DATA_DIR: dataDir, ...(url ? { DATABASE_URL: url } : {}) })

/** What differs by nature: bytes, no number, a broken number, a text with what PostgreSQL's texts cannot hold. */
const plantOddValues = async ({ write }: Databases, orgId: string) => {
  await write
    .insertInto('webhook_journal')
    .values([
      {
        connection_id: null,
        received_at: at,
        raw: Buffer.from([0, 1, 255, 39, 92]),
        state: 1,
        note: "it's \\ {null}, ñ 🧉",
      },
      { connection_id: null, received_at: at, raw: Buffer.alloc(0), state: 1, note: '' },
    ])
    .execute()
  // The newest row is gone, its number must not be given again.
  const last = await write.selectFrom('webhook_journal').select('seq').orderBy('seq', 'desc').executeTakeFirstOrThrow()
  await write.deleteFrom('webhook_journal').where('seq', '=', last.seq).execute()
  await write
    .insertInto('job_pace')
    .values({ org_id: orgId, pace_key: 'number', free_at: at, per_second: 0.1 } as never)
    .execute()
}

/** More than one batch of them. */
const messages = 1_100

const aFolder = (t: Pick<Test, 'teardown'>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-move-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A stopped installation on SQLite whose messages are read into the index of words. */
const sown = await (async () => {
  const dataDir = join(aFolder(t), 'data')
  mkdirSync(join(dataDir, 'media'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'media/photo.jpg'), 'a picture')
  writeFileSync(join(dataDir, 'secret'), secret, { mode: 0o600 })
  const config = configOf(dataDir)
  writeFileSync(config.databasePath, await migratedSnapshot(), { mode: 0o600 })
  const databases = openDatabase(config.databasePath)
  const org = await getOrCreateOrg(databases)
  seedVolume(databases, { orgId: org.id, conversations: 20, messages }, { clock: handClock(at) })
  await plantOddValues(databases, org.id)
  while (await indexSlice(databases, 20));
  await databases.close()
  return dataDir
})()

const anInstallation = (t: Test) => {
  const dataDir = join(aFolder(t), 'data')
  cpSync(sown, dataDir, { recursive: true })
  return { dataDir, config: configOf(dataDir) }
}

/** Resolves when no connection to the database is left. */
const quiet = async (url: string) => {
  const name = new URL(url).pathname.slice(1)
  const look = `select count(*)::int as n from pg_stat_activity where datname = '${name}'`
  while ((await server.run(look))[0]?.n) await setTimeout(20)
}

const leave = async (databases: Databases, url: string) => {
  await databases.close()
  await quiet(url)
}

/** The same installation on PostgreSQL: moved there once, copied for each who asks. */
const onPostgres = (() => {
  let moved: Promise<string> | undefined
  const moveOnce = async () => {
    const name = await server.createDatabase()
    await move(configOf(sown), server.urlOf(name))
    await quiet(server.urlOf(name))
    return name
  }
  return async (): Promise<string> => {
    moved ??= moveOnce()
    return server.urlOf(await server.createDatabase(await moved))
  }
})()

const emptyDatabase = async (): Promise<string> => server.urlOf(await server.createDatabase())

/** Indexes, constraints and triggers of a database, as statements. */
const schemaOf = (url: string) =>
  server.run(
    `select indexdef as made from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by made`,
    new URL(url).pathname.slice(1),
  )

const rowsOfFile = async (path: string) => {
  const databases = openDatabase(path)
  try {
    const numbers = databases.raw.read
      .prepare('select name, seq from sqlite_sequence where seq > 0 order by name')
      .all()
    return { ...(await allRows(databases)), numbers: numbers as Record<string, unknown>[] }
  } finally {
    await databases.close()
  }
}

/** What lies in a backup's database. */
const rowsOfBackup = async (t: Test, config: Config) => {
  const folder = aFolder(t)
  const file = join(folder, 'one.backup')
  await backup(config, file)
  const there = configOf(join(folder, 'there'))
  await restore(there, file)
  return rowsOfFile(there.databasePath)
}

t.test('moved there and back, a backup has the same rows, and every message is in the index of words', async t => {
  const { dataDir, config } = anInstallation(t)
  const before = readFileSync(config.databasePath)
  const url = await emptyDatabase()
  const there = await move(config, url)
  t.ok(there.rows > messages)
  t.ok(readFileSync(config.databasePath).equals(before), 'the original is untouched')

  const path = join(dataDir, 'back.db')
  await quiet(url)
  const back = await move(configOf(dataDir, url), `sqlite:${path}`)
  t.strictSame(back, { ...there, databaseUrl: `sqlite:${path}` })
  t.same(changedTables(await rowsOfFile(config.databasePath), await rowsOfFile(path)), [])
  t.same(changedTables(await rowsOfBackup(t, config), await rowsOfBackup(t, configOf(dataDir, `sqlite:${path}`))), [])

  t.same(
    await schemaOf(url),
    await schemaOf(server.urlOf(await migratedPostgres())),
    'every index and reference is there',
  )
  const moved = openUrl(url)
  const place = await moved.read.selectFrom('search_place').select('seq').executeTakeFirst()
  t.equal(place?.seq, messages)
  const { seq } = await moved.write
    .insertInto('webhook_journal')
    .values({ connection_id: null, received_at: at, raw: Buffer.from(''), state: 1, note: null })
    .returning('seq')
    .executeTakeFirstOrThrow()
  t.equal(seq, 3, 'no number is given twice')
  await leave(moved, url)
})

t.test('a move that is stopped goes on behind the last commit, and no server starts meanwhile', async t => {
  const { dataDir, config } = anInstallation(t)
  const url = await emptyDatabase()
  const dying = {
    onCopied(table: string, rows: number) {
      if (table === 'message' && rows < messages) throw new Error('killed')
    },
  }
  await t.rejects(move(config, url, { steps: dying }), /killed/)
  const findings: Finding[] = []
  for await (const finding of examine({ DATA_DIR: dataDir, DATABASE_URL: url, PORT: '0' })) findings.push(finding)
  t.match(
    findings.find(({ name }) => name === 'Database'),
    { says: /not filled yet/, fix: /again/ },
  )
  await t.rejects(backup(configOf(dataDir, url), join(dataDir, 'file')), /not filled yet/)
  await quiet(url)
  await t.rejects(move(anInstallation(t).config, url), { name: 'Refusal', message: /half filled from .*data/ })

  const copied: string[] = []
  const steps = { onCopied: (table: string, rows: number) => copied.push(`${table} ${rows}`) }
  await quiet(url)
  await move(config, url, { steps })
  t.ok(copied.includes(`message ${messages}`))
  t.notOk(
    copied.some(line => line === 'message 1000' || line.startsWith('conversation ')),
    'what was there is not copied again',
  )

  const path = join(dataDir, 'back.db')
  const back = configOf(dataDir, url)
  await quiet(url)
  await t.rejects(move(back, `sqlite:${path}`, { steps: dying }), /killed/)
  t.notOk(existsSync(path), 'half a file has another name')
  await quiet(url)
  await move(back, `sqlite:${path}`)
  t.same(changedTables(await rowsOfFile(config.databasePath), await rowsOfFile(path)), [])
})

t.test('a move is refused before anything is written', async t => {
  const { dataDir, config } = anInstallation(t)
  const refused = (of: Config, target: string, message: RegExp) => t.rejects(move(of, target), { message })
  const migrated = server.urlOf(await server.createDatabase(await migratedPostgres()))
  await refused(config, migrated, /is not empty: it has \d+ tables: make an empty one/)
  const foreign = await server.createDatabase()
  await server.run('create table invoice (id int)', foreign)
  await refused(config, server.urlOf(foreign), /is not empty: it has 1 tables/)
  t.same(await server.run("select count(*)::int as n from pg_tables where schemaname = 'public'", foreign), [{ n: 1 }])
  const empty = await emptyDatabase()
  await refused(configOf(join(dataDir, 'none')), empty, /There is no database at/)
  await refused(config, 'mysql://x', /^Usage/)
  await refused(config, 'sqlite:x', /is on SQLite already/)
  await refused(configOf(dataDir, empty), empty, /is on PostgreSQL already/)
  await refused(config, 'postgres://ana:secreta@/x', /^The address to move to="postgres:\/\/…@/)
  await refused(configOf(dataDir, migrated), `sqlite:${config.databasePath}`, /is there already/)
  await refused(configOf(dataDir, empty), `sqlite:${join(dataDir, 'new.db')}`, /older Recado/)

  const lock = lockInstallation(config, handClock(at))
  await refused(config, empty, /running already on .* stop that one first/)
  lock.release()
  const working = openUrl(migrated)
  await working.read.selectFrom('organization').select('id').execute()
  await refused(
    configOf(dataDir, migrated),
    `sqlite:${join(dataDir, 'new.db')}`,
    /Recado is at work on .* \(\d+ connections\)/,
  )
  await leave(working, migrated)

  const old = join(dataDir, 'old.db')
  copyFileSync(config.databasePath, old)
  const databases = openDatabase(old)
  const [last] = databases.raw.write
    .prepare('delete from kysely_migration where name = (select max(name) from kysely_migration) returning name')
    .pluck()
    .all() as string[]
  await refused(
    configOf(dataDir, `sqlite:${old}`),
    empty,
    /older Recado \(1 migrations to run\): start this one on it once/,
  )
  databases.raw.write.prepare('insert into kysely_migration values (?, ?), (?, ?)').run(last, at, '9999-later', at)
  await databases.close()
  await refused(configOf(dataDir, `sqlite:${old}`), empty, /newer Recado \(9999-later\)/)
  t.same(
    await server.run(
      "select count(*)::int as n from pg_tables where schemaname = 'public'",
      new URL(empty).pathname.slice(1),
    ),
    [{ n: 0 }],
  )
})

t.test('what was changed while it was copied is found by its checksum', async t => {
  const { config } = anInstallation(t)
  const url = await emptyDatabase()
  const onCopied = (table: string) => {
    if (table === 'tag') throw new Error('killed')
  }
  const databases = openDatabase(config.databasePath)
  const { org_id } = await databases.write.selectFrom('contact').select('org_id').executeTakeFirstOrThrow()
  await databases.write
    .insertInto('tag')
    .values({ id: 'tag', org_id, label: 'Mayorista', created_at: at } as never)
    .execute()
  await t.rejects(move(config, url, { steps: { onCopied } }), /killed|at work/)
  await databases.write.updateTable('contact').set({ name: 'Otra' }).execute()
  await databases.close()
  await quiet(url)
  await t.rejects(move(config, url), { name: 'Refusal', message: /not what is there: contact \(20 rows, 20 copied\)/ })
})

t.test('a backup of a PostgreSQL at work comes back on both engines, what was there is set aside', async t => {
  const { dataDir, config } = anInstallation(t)
  const url = await onPostgres()
  const original = await rowsOfFile(config.databasePath)
  const working = openUrl(url)
  await working.read.selectFrom('organization').select('id').execute()
  const file = join(dataDir, 'of-postgres.backup')
  const files = await backup(configOf(dataDir, url), file)
  t.same(files.map(({ path }) => path).sort(), ['media/photo.jpg', 'recado.db', 'secret'])

  const onSqlite = configOf(join(dataDir, 'on-sqlite'))
  await restore(onSqlite, file)
  // Its server reads the words in again.
  t.same(changedTables(original, await rowsOfFile(onSqlite.databasePath)), ['search_place'])

  const target = await emptyDatabase()
  const restored = configOf(join(dataDir, 'on-postgres'), target)
  t.match(await restore(restored, file), { before: undefined, schemaBefore: undefined, heldSends: 0 })
  t.equal(readFileSync(join(dataDir, 'on-postgres/secret'), 'utf8'), secret)
  const again = openUrl(target)
  t.equal(
    Number(
      (
        await again.read
          .selectFrom('message')
          .select(eb => eb.fn.countAll().as('n'))
          .executeTakeFirst()
      )?.n,
    ),
    messages,
  )
  await again.write.deleteFrom('message').execute()
  await t.rejects(restore(restored, file), { name: 'Refusal', message: /at work on/ })
  await leave(again, target)
  await t.rejects(restore(restored, file), { name: 'Refusal', message: /already hold.* --force/ })
  await quiet(target)
  const { before, schemaBefore } = await restore(restored, file, { force: true })
  t.ok(existsSync(join(before as string, 'secret')))
  t.same(
    await server.run(`select count(*)::int as n from "${schemaBefore}".message`, new URL(target).pathname.slice(1)),
    [{ n: 0 }],
  )
  const path = join(dataDir, 'from-there.db')
  await quiet(target)
  await move(restored, `sqlite:${path}`)
  t.same(changedTables(original, await rowsOfFile(path)), [])
  await working.close()
})

t.test('a restore into PostgreSQL that fails brings back what was there', async t => {
  const { dataDir, config } = anInstallation(t)
  const file = join(dataDir, 'one.backup')
  const databases = openDatabase(config.databasePath)
  // Larger than any number both engines hold exactly.
  databases.raw.write.exec('update conversation set unread = 9007199254740993')
  await databases.close()
  await backup(config, file)
  const url = await onPostgres()
  const target = configOf(join(dataDir, 'target'), url)
  await t.rejects(restore(target, file, { force: true }), /conversation.unread holds/)
  const again = openUrl(url)
  t.equal((await again.read.selectFrom('message').select('id').execute()).length, messages)
  await leave(again, url)
  t.notOk(existsSync(join(dataDir, 'target/secret')))
})

t.test('realistic volume is sown on PostgreSQL, twice', async t => {
  const databases = openUrl(server.urlOf(await server.createDatabase()))
  t.teardown(() => databases.close())
  await migrate(databases.write)
  const org = await getOrCreateOrg(databases)
  for (const [i, conversations] of [5, 3].entries())
    t.match(
      await seedPostgres(
        databases,
        { orgId: org.id, conversations, messages: 30 },
        { clock: handClock(`2026-11-2${i}T13:00:00.000Z`) },
      ),
      {
        conversations,
        messages: 30,
      },
    )
  const rows = await databases.read.selectFrom('conversation').select(['last_message_seq', 'connection_id']).execute()
  t.equal(rows.length, 8)
  t.equal(new Set(rows.map(row => row.connection_id)).size, 1)
  const messages = await databases.read.selectFrom('message').select('seq').orderBy('seq').execute()
  t.same(
    messages.map(row => row.seq),
    Array.from({ length: 60 }, (_, i) => i + 1),
  )
})

t.test('a contact that comes while volume is sown has a number of its own in the index', async t => {
  const databases = openUrl(server.urlOf(await server.createDatabase()))
  t.teardown(() => databases.close())
  await migrate(databases.write)
  const org = await getOrCreateOrg(databases)
  // Between the contacts that are sown and their words.
  await sql`create function somebody_comes() returns trigger language plpgsql as $$ begin
    insert into contact_words (seq, contact_id, org_id, words, numbers, terms)
      select (select coalesce(max(seq), 0) + 1 from contact_words), id, org_id, 'somebody', '', '' from contact limit 1;
    return null;
  end $$`.execute(databases.write)
  await sql`create trigger somebody after insert on contact_identity execute function somebody_comes()`.execute(
    databases.write,
  )
  await seedPostgres(
    databases,
    { orgId: org.id, conversations: 5, messages: 5 },
    { clock: handClock('2026-11-20T13:00:00.000Z') },
  )
  const { rows } = await sql<{ seq: number; words: string }>`select seq, words from contact_words order by seq`.execute(
    databases.read,
  )
  t.same(
    rows.map(row => row.seq),
    [1, 2, 3, 4, 5, 6],
  )
  t.equal(rows[0]?.words, 'somebody')
})
