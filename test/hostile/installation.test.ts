/** The data on disk is not what a start expects: each case is reported with its fix, and nothing is changed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { aMember } from '#test/helpers/actors.ts'

t.setTimeout(240_000)
const root = new URL('../../', import.meta.url).pathname

const run = (program: string, dataDir: string, args: string[] = []) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'server/cli/run.mjs'), program, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
  })
  return { status, said: stdout + stderr }
}
const start = (dataDir: string) => run('server/main.ts', dataDir)
const doctor = (dataDir: string) => run('server/cli/doctor.ts', dataDir).said

const anInstallation = async (t: Test, { secret = true } = {}) => {
  const dataDir = join(t.testdir({}), 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const path = join(dataDir, 'recado.db')
  const databases = openDatabase(path)
  await migrate(databases.write)
  const { org } = await aMember({ databases })
  if (secret) writeFileSync(join(dataDir, 'secret'), `${'s'.repeat(40)}\n`, { mode: 0o600 })
  return { dataDir, path, databases, org }
}
const noStack = (t: Test, said: string) => t.notMatch(said, /^\s+at .*:\d+:\d+/m, 'no stack')

t.test(
  'a second process on the same data is refused with the holder’s pid; after a crash a start need not wait',
  async t => {
    const { dataDir, databases } = await anInstallation(t)
    await databases.close()
    const script = `
    import { lockInstallation } from '#server/platform/db/sqlite/process-lock.ts'
    import { systemClock } from '#server/platform/time/clock.ts'
    lockInstallation({ dataDir: ${JSON.stringify(dataDir)}, databasePath: ${JSON.stringify(join(dataDir, 'recado.db'))} }, systemClock)
    process.stdout.write('held')
    setInterval(() => {}, 1000)
  `
    const holder: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.teardown(() => holder.kill('SIGKILL'))
    await once(holder.stdout as NodeJS.ReadableStream, 'data')
    const second = start(dataDir)
    t.equal(second.status, 1)
    t.match(second.said, new RegExp(`running already on .*process ${holder.pid} on .+, since 20\\d\\d-`))
    noStack(t, second.said)
    t.match(
      run('server/cli/backup.ts', dataDir, [join(dataDir, '..', 'file.backup')]),
      { status: 0 },
      'a backup still works',
    )

    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const { lockInstallation } = await import('#server/platform/db/sqlite/process-lock.ts')
    const { systemClock } = await import('#server/platform/time/clock.ts')
    const config = { dataDir, databasePath: join(dataDir, 'recado.db') }
    const lock = lockInstallation(config, systemClock)
    t.throws(() => lockInstallation(config, systemClock), new RegExp(`process ${process.pid} `))
    lock.release()
    lockInstallation(config, systemClock).release()
  },
)

t.test('a missing secret with encrypted rows stops the start and is not replaced', async t => {
  const { dataDir, databases, org } = await anInstallation(t, { secret: false })
  const at = '2026-11-20T12:00:00.000Z'
  await databases.write
    .insertInto('wa_connection')
    .values({
      id: 'c1',
      org_id: org.id,
      kind: 'cloud',
      phone_number_id: '1',
      waba_id: '2',
      phone: '5491155550101',
      verified_name: null,
      access_token_sealed: 'v1.AAAA',
      app_secret_sealed: 'v1.AAAA',
      verify_token_sealed: 'v1.AAAA',
      status: 'connected',
      status_reason: null,
      created_at: at,
      updated_at: at,
    } as never)
    .execute()
  await databases.close()
  const { status, said } = start(dataDir)
  t.equal(status, 1)
  t.match(said, /secret is missing.*AUTH_SECRET.*openssl rand/s)
  noStack(t, said)
  t.notOk(existsSync(join(dataDir, 'secret')), 'none is created')
  t.match(doctor(dataDir), /✗ Secret .*is missing/)
})

t.test('an empty database beside a secret stops the start, and again at the next try', async t => {
  const { dataDir, databases, path } = await anInstallation(t)
  await databases.close()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  t.match(doctor(dataDir), /✗ Database .*belongs to a database with data/)
  for (const _ of [1, 2]) {
    const { status, said } = start(dataDir)
    t.equal(status, 1)
    t.match(said, /is empty, and .*secret belongs to a database with data.*DATABASE_URL.*restore/s)
    noStack(t, said)
  }
  t.match(doctor(dataDir), /✗ Secret .*is empty/)
})

t.test('the database of a newer version is left unchanged', async t => {
  const { dataDir, databases, path } = await anInstallation(t)
  databases.raw.write.prepare("insert into kysely_migration values ('9999-future', '2999-01-01T00:00:00.000Z')").run()
  await databases.close()
  const before = readFileSync(path)
  const { status, said } = start(dataDir)
  t.equal(status, 1)
  t.match(said, /newer Recado \(9999-future\): run that version/)
  noStack(t, said)
  t.ok(readFileSync(path).equals(before))
  t.match(doctor(dataDir), /✗ Migrations .*newer Recado/)
  const seeded = run('server/cli/seed.ts', dataDir, ['--conversations', '1', '--messages', '1'])
  t.match(seeded, { status: 1, said: /newer Recado/ })
  noStack(t, seeded.said)
})

t.test('every program reports a damaged database with the way to restore it', async t => {
  const { dataDir, databases, path } = await anInstallation(t)
  await databases.close()
  const file = openSync(path, 'r+')
  // The header stays intact, so it looks like a database until it is read.
  writeSync(file, Buffer.alloc(64 * 1024, 0x5a), 0, 64 * 1024, 100)
  closeSync(file)
  const outcomes: [string, { status: number | null; said: string }][] = [
    ['start', start(dataDir)],
    ['doctor', run('server/cli/doctor.ts', dataDir)],
    ['backup', run('server/cli/backup.ts', dataDir, [join(dataDir, '..', 'damaged.backup')])],
  ]
  for (const [name, { status, said }] of outcomes) {
    t.equal(status, 1, name)
    t.match(said, /damaged|no database/, name)
    t.match(said, /npm run restore/, name)
    noStack(t, said)
  }
})
