import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '#server/platform/config/config.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { startFault } from '#server/platform/process/start-fault.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'

const openingFault = (env: Record<string, string>) => {
  const config = readConfig(env)
  try {
    openDatabase(config.databasePath)
  } catch (error) {
    return startFault(error, config)
  }
}

const listeningFault = async (env: Record<string, string>) => {
  const config = readConfig(env)
  const server = createServer()
  const error = await new Promise(resolve => {
    server.once('error', resolve)
    server.listen(config.port, config.host, () => resolve(undefined))
  })
  server.close()
  return startFault(error, config)
}

t.test('an unusable data folder is reported with its variable', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-start-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'file')
  writeFileSync(file, 'no database, only text that is long enough to be looked at')
  t.match(openingFault({ DATA_DIR: file }), /cannot be written .*DATA_DIR/)
  t.match(openingFault({ DATA_DIR: join(file, 'data') }), /cannot be written .*DATA_DIR/)
  t.match(openingFault({ DATA_DIR: folder, DATABASE_URL: `sqlite:${file}` }), /is no database/)
})

t.test('an address that cannot be listened on is reported with its variable', async t => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  t.teardown(() => taken.close())
  const { port } = taken.address() as { port: number }
  t.match(await listeningFault({ PORT: String(port) }), /^PORT=\d+ is taken/)
  t.match(await listeningFault({ PORT: '0', HOST: '192.0.2.1' }), /^HOST="192\.0\.2\.1" is no address of this machine/)
})

t.test('a fault of the product is not blamed on the environment', async t => {
  const config = readConfig({})
  t.equal(startFault(new Error('anything'), config), undefined)
  const missing = Object.assign(new Error('no build'), { code: 'ENOENT', syscall: 'open', path: '/srv/recado/dist/x' })
  t.equal(startFault(missing, config), undefined)
})

t.test('a full disk is reported in one sentence with its fix, however deep the cause', t => {
  const config = readConfig({ DATA_DIR: '/srv/recado' })
  const full = (code: string, path?: string) => Object.assign(new Error('no room'), { code, path })
  const says = /^The disk of \S+ is full \(\w+\): free some space there, or set DATA_DIR to a folder on another disk/
  t.match(startFault(full('SQLITE_FULL'), config), says)
  t.match(startFault(full('SQLITE_IOERR_SHMSIZE'), config), says)
  t.match(startFault(full('ENOSPC', '/srv/recado/secret'), config), /^The disk of \/srv\/recado\/secret is full/)
  t.match(startFault(new Error('a migration failed', { cause: full('SQLITE_FULL') }), config), says)
  t.end()
})

testOnSqlite('creating an installation without disk space fails with a clear error', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-full-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: folder })
  const databases = openDatabase(config.databasePath)
  t.teardown(() => databases.close())
  databases.raw.write.pragma('max_page_count = 20')
  const error = await migrate(databases.write).catch(error => error)
  t.match(startFault(error, config), /^The disk of .* is full \(SQLITE_FULL\)/)
})
