import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { backup } from '#server/cli/backup.ts'
import { restore } from '#server/cli/restore.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { aMember } from '#test/helpers/actors.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const configOf = (dataDir: string): Config => readConfig({ DATA_DIR: dataDir })

const at = '2026-11-20T13:00:00.000Z'

/** A conversation with one message that waits and one in flight. */
const plantSends = async (databases: Databases, orgId: string) => {
  const { write } = databases
  await write
    .insertInto('contact')
    .values({ id: 'contact', org_id: orgId, created_at: at, updated_at: at } as never)
    .execute()
  await write
    .insertInto('conversation')
    .values({
      id: 'chat',
      org_id: orgId,
      contact_id: 'contact',
      connection_id: 'number',
      control: 'bot',
      last_activity_at: at,
      created_at: at,
    } as never)
    .execute()
  for (const state of ['waiting', 'running', 'done'] as const) {
    const message = {
      id: state,
      org_id: orgId,
      conversation_id: 'chat',
      direction: 'out',
      type: 'text',
      text: state,
      at,
      status: 'queued',
    }
    await write
      .insertInto('message')
      .values(message as never)
      .execute()
    const row = {
      org_id: orgId,
      kind: 'outbox.message',
      lane: 0,
      queue: `outbox.message/0/${orgId}/number`,
      order_key: 'conversation chat',
      pace_key: 'number',
      unique_key: state,
      payload: JSON.stringify({ messageId: state }),
      state,
      blocked: 0,
      attempts: 0,
      due_at: at,
      owner: state === 'running' ? 'somebody' : null,
      added_at: at,
    }
    await write
      .insertInto('job')
      .values(row as never)
      .execute()
  }
}

/** An installation with data, its server's database still open. */
const anInstallation = async (dataDir: string) => {
  const config = configOf(dataDir)
  const databases = openDatabase(config.databasePath)
  await migrate(databases.write)
  const { org } = await aMember({ databases })
  await plantSends(databases, org.id)
  mkdirSync(join(dataDir, 'media/2026'), { recursive: true })
  writeFileSync(join(dataDir, 'media/2026/photo.jpg'), Buffer.alloc(300_000, 7))
  writeFileSync(join(dataDir, 'media/empty.bin'), '')
  mkdirSync(join(dataDir, 'logos'))
  writeFileSync(join(dataDir, 'logos/logo.png'), 'a picture')
  writeFileSync(join(dataDir, 'secret'), 'a'.repeat(40), { mode: 0o600 })
  return { config, databases, org }
}

t.test('a backup of a running server comes back whole, and what waited to leave is in flight', async t => {
  const folder = t.testdir({ one: {}, two: {} })
  const { config, databases, org } = await anInstallation(join(folder, 'one'))
  t.teardown(() => databases.close())
  const file = join(folder, 'recado.backup')
  const files = await backup(config, file)
  t.same(files.map(({ path }) => path).sort(), [
    'logos/logo.png',
    'media/2026/photo.jpg',
    'media/empty.bin',
    'recado.db',
    'secret',
  ])
  t.equal(statSync(file).mode & 0o777, 0o600)

  const other = configOf(join(folder, 'two'))
  const { heldSends, before } = await restore(other, file)
  t.equal(heldSends, 1)
  t.equal(before, undefined)
  t.equal(readFileSync(join(folder, 'two/logos/logo.png'), 'utf8'), 'a picture')
  t.same(readFileSync(join(folder, 'two/media/2026/photo.jpg')), readFileSync(join(folder, 'one/media/2026/photo.jpg')))
  t.equal(readFileSync(join(folder, 'two/secret'), 'utf8'), 'a'.repeat(40))
  t.equal(statSync(join(folder, 'two/secret')).mode & 0o777, 0o600)
  const restored = openDatabase(other.databasePath)
  t.teardown(() => restored.close())
  t.equal((await restored.read.selectFrom('organization').select('id').executeTakeFirst())?.id, org.id)
  const rows = await restored.read.selectFrom('job').select(['unique_key', 'state']).orderBy('seq').execute()
  t.same(
    rows.map(row => [row.unique_key, row.state]),
    [
      ['waiting', 'running'],
      ['running', 'running'],
      ['done', 'done'],
    ],
  )
})

t.test('a backup never overwrites a file and says so', async t => {
  const folder = t.testdir({ one: {}, 'recado.backup': 'mine' })
  const { config, databases } = await anInstallation(join(folder, 'one'))
  t.teardown(() => databases.close())
  await t.rejects(backup(config, join(folder, 'recado.backup')), { name: 'Refusal' })
  t.equal(readFileSync(join(folder, 'recado.backup'), 'utf8'), 'mine')
})

t.test('an empty installation has nothing to back up', async t => {
  const folder = t.testdir({})
  await t.rejects(backup(configOf(join(folder, 'none')), join(folder, 'file')), { name: 'Refusal' })
  t.notOk(existsSync(join(folder, 'file')))
})

t.test('a restore refuses a running server, with or without force', async t => {
  const folder = t.testdir({ one: {} })
  const { config, databases } = await anInstallation(join(folder, 'one'))
  t.teardown(() => databases.close())
  const file = join(folder, 'recado.backup')
  await backup(config, file)
  await t.rejects(restore(config, file), /running/)
  await t.rejects(restore(config, file, { force: true }), /running/)
  t.equal((await databases.read.selectFrom('job').selectAll().execute()).length, 3)
})

t.test('a restore over data wants force, and moves the data aside', async t => {
  const folder = t.testdir({ one: {} })
  const { config, databases } = await anInstallation(join(folder, 'one'))
  const file = join(folder, 'recado.backup')
  await backup(config, file)
  await databases.close()
  await t.rejects(restore(config, file), /--force/)
  const { before } = await restore(config, file, { force: true })
  t.ok(before && existsSync(join(before, 'recado.db')))
  t.ok(existsSync(config.databasePath))
})

t.test('a damaged or cut backup is refused and nothing is changed', async t => {
  const folder = t.testdir({ one: {}, 'text.txt': 'hello' })
  const { config, databases } = await anInstallation(join(folder, 'one'))
  t.teardown(() => databases.close())
  const file = join(folder, 'recado.backup')
  await backup(config, file)
  const whole = readFileSync(file)
  const spoiled = Buffer.from(whole)
  const middle = Math.floor(spoiled.length / 2)
  spoiled[middle] = (spoiled[middle] as number) ^ 0xff
  writeFileSync(join(folder, 'spoiled'), spoiled)
  for (const part of [0.1, 0.5, 0.99])
    writeFileSync(join(folder, `cut-${part}`), whole.subarray(0, Math.floor(whole.length * part)))
  for (const name of ['spoiled', 'cut-0.1', 'cut-0.5', 'cut-0.99', 'text.txt']) {
    const target = configOf(join(folder, `target-${name}`))
    await t.rejects(restore(target, join(folder, name)), { name: 'BrokenArchive' }, name)
    t.notOk(existsSync(target.databasePath), name)
  }
})

t.test('a backup of a newer version is refused with what to do, and nothing is changed', async t => {
  const folder = t.testdir({ one: {} })
  const { config, databases } = await anInstallation(join(folder, 'one'))
  databases.raw.write.prepare("insert into kysely_migration values ('9999-future', '2999-01-01T00:00:00.000Z')").run()
  const file = join(folder, 'recado.backup')
  await backup(config, file)
  await databases.close()
  const before = readFileSync(config.databasePath)
  const target = configOf(join(folder, 'target'))
  for (const place of [target, config])
    await t.rejects(restore(place, file, { force: true }), {
      name: 'Refusal',
      message: /newer Recado \(9999-future\); restore it with that one/,
    })
  t.notOk(existsSync(target.databasePath))
  t.ok(readFileSync(config.databasePath).equals(before))
})

t.test('the remedy told for a damaged database mends it: the backup comes back, the damaged one is kept', async t => {
  const folder = t.testdir({ one: {} })
  const { config, databases } = await anInstallation(join(folder, 'one'))
  const file = join(folder, 'recado.backup')
  await backup(config, file)
  await databases.close()
  for (const damage of [Buffer.alloc(64 * 1024, 0x5a), Buffer.from('no database at all')]) {
    writeFileSync(config.databasePath, damage)
    const { before } = await restore(config, file, { force: true })
    t.ok(readFileSync(join(before as string, 'recado.db')).equals(damage))
    const again = openDatabase(config.databasePath)
    t.equal((await again.read.selectFrom('message').selectAll().execute()).length, 3)
    await again.close()
  }
})
