import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import type { Test } from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { migratedSnapshot } from '#test/helpers/db.ts'
import { conformance } from '../conformance.ts'

const longestLockMs = 100

const open = async (t: Test) => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-conformance-'))
  const path = join(folder, 'recado.db')
  writeFileSync(path, await migratedSnapshot())
  const databases = openDatabase(path, { longestLockMs })
  t.teardown(async () => {
    await databases.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return databases
}

conformance({
  name: 'SQLite',
  open,
  troubles: {
    'a lock that somebody else holds': async ({ write, raw }) => {
      const other = new Sqlite(raw.write.name)
      other.exec('begin immediate')
      try {
        await sql`insert into sample (name) values ('locked')`.execute(write)
      } finally {
        other.close()
      }
    },
    'a full disk': async databases => {
      const { write } = databases.raw
      const most = Number(write.pragma('max_page_count', { simple: true }))
      write.pragma(`max_page_count = ${Number(write.pragma('page_count', { simple: true })) + 5}`)
      try {
        await inTransaction(databases, trx =>
          sql`insert into sample (name, data) values ('heap', zeroblob(1000000))`.execute(trx),
        )
      } finally {
        write.pragma(`max_page_count = ${most}`)
      }
    },
  },
})
