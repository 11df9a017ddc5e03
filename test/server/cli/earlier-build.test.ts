import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { backup } from '#server/cli/backup.ts'
import { describeCopy } from '#server/cli/earlier-build.ts'
import { restore } from '#server/cli/restore.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { root } from '#test/helpers/sources.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const at = '2026-11-20T13:00:00.000Z'

const aFolder = (t: Test): string => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-earlier-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A few tables as an earlier build had them: `outbox` and `contact.nickname` are gone today; `contact.search` and
 * `contact.is_group` came later.
 */
const oldSchema = `
  create table kysely_migration (name text primary key, timestamp text not null);
  create table kysely_migration_lock (id text primary key, is_locked integer not null);
  create table "organization" (id text primary key, name text not null, slug text not null unique, logo text,
    "createdAt" text not null, metadata text);
  create table "contact" (nickname text, id text primary key, org_id text not null references "organization" (id),
    name text, created_at text not null, updated_at text not null);
  create table "outbox" (seq integer primary key autoincrement, org_id text not null);
  create table "job" (seq integer primary key autoincrement, org_id text not null, kind text not null,
    lane integer not null, queue text not null, order_key text, pace_key text not null, unique_key text,
    payload text not null, state text not null, blocked integer not null, attempts integer not null,
    due_at text not null, owner text, reason text, added_at text not null, finished_at text)`
const oldMigrations = ['20261120T1000-auth', '20261120T1010-product']

const plantRows = (db: Sqlite.Database) => {
  for (const name of oldMigrations) db.prepare('insert into kysely_migration values (?, ?)').run(name, at)
  db.prepare(`insert into organization values ('org', 'Panadería', 'panaderia', null, ?, null)`).run(at)
  const contact = db.prepare(`insert into contact values (?, ?, 'org', ?, ?, ?)`)
  for (let i = 0; i < 1_200; i += 1) contact.run('apodo', `c${i}`, `Zoë ${i}`, at, at)
  db.prepare(`insert into outbox (org_id) values ('org'), ('org')`).run()
  const job =
    db.prepare(`insert into job (seq, org_id, kind, lane, queue, order_key, pace_key, payload, state, blocked, attempts, due_at, added_at)
    values (?, 'org', 'outbox.message', 0, 'q', ?, 'p', '{}', 'waiting', 0, 0, ?, ?)`)
  job.run(40, 'one', at, at)
  job.run(41, 'two', at, at)
  // Its number is given to no other job.
  job.run(90, 'three', at, at)
  db.prepare('delete from job where seq = 90').run()
}

const anOldInstallation = (dataDir: string): Config => {
  const config = readConfig({ DATA_DIR: dataDir })
  const db = new Sqlite(config.databasePath)
  db.pragma('journal_mode = WAL')
  db.exec(oldSchema)
  plantRows(db)
  db.close()
  return config
}

/** A backup as the earlier build's own command makes it: the archive's form has not changed. */
const anOldBackup = async (t: Test): Promise<string> => {
  const file = join(aFolder(t), 'old.backup')
  await backup(anOldInstallation(aFolder(t)), file)
  return file
}

const readRestored = async ({ read }: Databases) => ({
  org: await read.selectFrom('organization').select(['id', 'name', 'deleted_at']).execute(),
  contacts: await read
    .selectFrom('contact')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('search', '=', '')
    .where('is_group', '=', 0)
    .executeTakeFirst(),
  one: await read.selectFrom('contact').select(['name', 'org_id', 'created_at']).where('id', '=', 'c7').execute(),
  counted: await read.selectFrom('row_use').select(['org_id', 'contacts']).execute(),
  jobs: await read.selectFrom('job').select(['seq', 'state']).orderBy('seq').execute(),
})

const expected = {
  org: [{ id: 'org', name: 'Panadería', deleted_at: null }],
  contacts: { n: 1_200 },
  one: [{ name: 'Zoë 7', org_id: 'org', created_at: at }],
  counted: [{ org_id: 'org', contacts: 1_200 }],
  // They waited in the backup.
  jobs: [
    { seq: 40, state: 'running' },
    { seq: 41, state: 'running' },
  ],
}

const nextJob = async ({ write }: Databases): Promise<number> => {
  const row = { org_id: 'org', kind: 'k', lane: 0, queue: 'q', pace_key: '', payload: '{}', state: 'done', blocked: 0 }
  const { seq } = await write
    .insertInto('job')
    .values({ ...row, attempts: 0, due_at: at, added_at: at } as never)
    .returning('seq')
    .executeTakeFirstOrThrow()
  return seq
}

t.test('a backup of an earlier build comes back by the names of its tables and columns', async t => {
  const file = await anOldBackup(t)
  const config = readConfig({ DATA_DIR: aFolder(t) })
  const { fromEarlierBuild, heldSends } = await restore(config, file)
  t.equal(heldSends, 2)
  t.same(fromEarlierBuild && describeCopy(fromEarlierBuild), [
    'The backup is of an earlier build: 1203 rows of 3 tables were copied by name.',
    '  organization: 1',
    '  contact: 1200',
    '  job: 2',
    'Left out, as this build has no table outbox: 2 rows.',
    'Left out, as this build has no such column: contact.nickname.',
  ])
  const databases = openDatabase(config.databasePath)
  t.teardown(() => databases.close())
  t.same(await readRestored(databases), expected)
  t.equal(await nextJob(databases), 91)
})

t.test('a backup of an earlier build is restored into PostgreSQL', async t => {
  const file = await anOldBackup(t)
  const server = await postgresServer()
  const url = server.urlOf(await server.createDatabase())
  const { heldSends } = await restore(readConfig({ DATA_DIR: aFolder(t), DATABASE_URL: url }), file)
  t.equal(heldSends, 2)
  const databases = openUrl(url)
  t.teardown(() => databases.close())
  t.same(await readRestored(databases), expected)
  t.equal(await nextJob(databases), 91)
})

t.test('a backup without what every row needs today is refused, and nothing is changed', async t => {
  const dataDir = aFolder(t)
  const config = anOldInstallation(dataDir)
  const db = new Sqlite(config.databasePath)
  db.exec('alter table contact drop column updated_at')
  db.close()
  const file = join(dataDir, 'old.backup')
  await backup(config, file)
  const target = readConfig({ DATA_DIR: aFolder(t) })
  await t.rejects(restore(target, file), { name: 'Refusal', message: /too early a build: contact has no updated_at/ })
  t.throws(() => readFileSync(target.databasePath))
})

/** Runs the server to its end. */
const start = (env: Record<string, string>) =>
  new Promise<{ code: unknown; says: string }>(resolve =>
    execFile(
      process.execPath,
      [join(root, 'server/main.ts')],
      { cwd: root, env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...env }, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error?.code, says: `${stdout}${stderr}` }),
    ),
  )

const remedy =
  /^.+ is of an earlier build of Recado: back it up with that build \(npm run backup -- FILE\), then bring it into this one with npm run restore -- FILE --force\n$/

t.test('a server does not start on the data folder of an earlier build, and changes nothing in it', async t => {
  const dataDir = aFolder(t)
  const { databasePath } = anOldInstallation(dataDir)
  const before = readFileSync(databasePath)
  const { code, says } = await start({ DATA_DIR: dataDir })
  t.equal(code, 1)
  t.match(says, remedy)
  t.ok(readFileSync(databasePath).equals(before))
})

t.test('nor on a PostgreSQL database of an earlier build', async t => {
  const server = await postgresServer()
  const name = await server.createDatabase()
  await server.run(
    `create table kysely_migration (name text primary key, timestamp text not null);
     create table organization (id text primary key); create table webhook_journal (seq bigint primary key);
     insert into kysely_migration values ('${oldMigrations[0]}', '${at}')`,
    name,
  )
  const { code, says } = await start({ DATA_DIR: aFolder(t), DATABASE_URL: server.urlOf(name) })
  t.equal(code, 1)
  t.match(says, remedy)
  const tables = await server.run("select count(*)::int as n from pg_tables where schemaname = 'public'", name)
  t.same(tables, [{ n: 3 }])
})
