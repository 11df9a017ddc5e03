import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { aMember } from '#test/helpers/actors.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

interface OldDatabase {
  all(statement: string): Record<string, string>[]
  exec(statement: string): void
  close(): void
}
// The package has no types. It contains SQLite 3.40.0, like Debian 12.
const { Database: OldSqlite } = createRequire(import.meta.url)('node-sqlite3-wasm') as {
  Database: new (path: string) => OldDatabase
}

t.test("SQLite 3.40, Debian 12's own, reads and writes a file of ours", async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-old-sqlite-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'recado.db')
  const databases = openDatabase(path)
  await migrate(databases.write)
  const { user } = await aMember({ databases, name: 'Zoë Ñandú' })
  // The package has no shared memory, which WAL needs.
  const copy = join(folder, 'copy.db')
  databases.raw.write.exec(`vacuum into '${copy}'`)
  await databases.close()

  const old = new OldSqlite(copy)
  t.teardown(() => old.close())
  // Off by default in Debian; and a cascade could involve a statement that is left out below.
  old.exec('pragma foreign_keys = off')
  t.match(old.all('select sqlite_version() as version'), [{ version: /^3\.40\./ }])
  t.same(old.all('pragma integrity_check'), [{ integrity_check: 'ok' }])
  // The package has no FTS5: its tables, and statements whose triggers write to one, are left out.
  const tables = old.all(
    `select name from sqlite_schema s where type = 'table' and sql like 'create table%' and not exists (
       select 1 from sqlite_schema v, sqlite_schema used where v.sql like 'create virtual table%'
         and used.type = 'trigger' and used.tbl_name = s.name and instr(used.sql, v.name) > 0)`,
  )
  t.ok(tables.length > 100, 'enough tables')
  for (const { name } of tables) {
    const columns = old.all(`select name from pragma_table_info('${name}')`).map(column => `"${column.name}"`)
    old.all(`explain select * from "${name}"`)
    // Compiling a statement also compiles its triggers.
    old.all(`explain delete from "${name}"`)
    old.all(`explain insert into "${name}" (${columns}) select ${columns} from "${name}"`)
    for (const column of columns) old.all(`explain update "${name}" set ${column} = ${column}`)
  }

  const sortName = () => old.all(`select sort_name from member where "userId" = '${user.id}'`)
  t.same(sortName(), [{ sort_name: 'zoe nandu' }])
  old.exec(`update "user" set name = 'ÁÀÂÃÄÅÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÝÑÇ áàâãäåéèêëíìîïóòôõöúùûüýñç B' where id = '${user.id}'`)
  t.same(sortName(), [{ sort_name: 'aaaaaaeeeeiiiiooooouuuuync aaaaaaeeeeiiiiooooouuuuync b' }])
})
