import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '#server/db.ts'

t.test('a new database and its log are for this account alone, whatever the folder allows', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-db-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const databases = openDatabase(join(folder, 'recado.db'))
  databases.raw.write.exec('create table x (y integer) strict')
  const modes = Object.fromEntries(readdirSync(folder).map(name => [name, statSync(join(folder, name)).mode & 0o777]))
  await databases.close()
  t.strictSame(modes, { 'recado.db': 0o600, 'recado.db-shm': 0o600, 'recado.db-wal': 0o600 })
})
