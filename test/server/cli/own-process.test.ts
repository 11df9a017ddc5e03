import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { takeInOwnProcess } from '#server/cli/own-process.ts'
import { restore } from '#server/cli/restore.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { aMember } from '#test/helpers/actors.ts'
import { putBack } from '#test/helpers/environment.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const installation = async (t: { teardown(end: () => void): void }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-night-'))
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  putBack(t, 'DATA_DIR', 'DATABASE_URL')
  process.env.DATA_DIR = dataDir
  delete process.env.DATABASE_URL
  const folder = join(dataDir, 'snapshots')
  await mkdir(folder)
  return { dataDir, folder, file: join(folder, 'one.backup') }
}

t.test('a separate process makes a complete backup beside a running server', async t => {
  const { dataDir, folder, file } = await installation(t)
  const databases = openDatabase(join(dataDir, 'recado.db'))
  await migrate(databases.write)
  const { org } = await aMember({ databases })
  const taken = await takeInOwnProcess(file, new AbortController().signal)
  await databases.close()
  t.match(taken, { bytes: Number, rows: Number })
  t.ok('rows' in taken && taken.rows > 5)
  t.same(readdirSync(folder), ['one.backup'], 'no other file is left')

  const elsewhere = mkdtempSync(join(tmpdir(), 'recado-back-'))
  t.teardown(() => rmSync(elsewhere, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: elsewhere })
  await restore(config, file)
  const restored = openDatabase(config.databasePath)
  t.match(await restored.read.selectFrom('organization').select('id').execute(), [{ id: org.id }])
  await restored.close()
})

t.test('with nothing to copy, or when aborted, it reports that and leaves no file', async t => {
  const { folder, file } = await installation(t)
  t.match(await takeInOwnProcess(file, new AbortController().signal), {
    fault: /damaged|failed/,
    reason: /no database/,
  })
  const ended = new AbortController()
  ended.abort()
  t.match(await takeInOwnProcess(file, ended.signal), { fault: 'failed' })
  t.notOk(existsSync(file))
  t.same(readdirSync(folder), [])
})
