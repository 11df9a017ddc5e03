import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { migrate } from '#server/platform/db/migrate.ts'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { root } from '#test/helpers/sources.ts'

/** Faults in the names of migrations: four digits and words, numbered without gaps. */
const nameFaults = (names: readonly string[]): string[] => [
  ...names.filter(name => !/^\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(name)).map(name => `${name}: not 0002-words.ts`),
  ...[...names].sort().flatMap((name, i) => {
    const number = String(i + 1).padStart(4, '0')
    return name.startsWith(`${number}-`) ? [] : [`${name}: ${number} is next`]
  }),
]

t.test('migrations are numbered without gaps', async t => {
  t.same(nameFaults(readdirSync(join(root, 'migrations')).filter(name => name !== 'baseline')), [])
  t.same(nameFaults(['0001-baseline.ts', '0002-flow-colors.ts']), [])
  t.same(nameFaults(['0001-baseline.ts', '0003-flow-colors.ts']), ['0003-flow-colors.ts: 0002 is next'])
  t.same(nameFaults(['0001-baseline.ts', '0002-a.ts', '0002-b.ts']), ['0002-b.ts: 0003 is next'])
  t.equal(nameFaults(['0001-baseline.ts', '20261203T1300-row-use.ts']).length, 2)
  t.same(nameFaults(['0001-baseline.ts', '0002-README.md']), ['0002-README.md: not 0002-words.ts'])
})

const empty = {
  sqlite: async () => openSnapshot(),
  postgres: async () => {
    const server = await postgresServer()
    return openUrl(server.urlOf(await server.createDatabase()))
  },
}

for (const [engine, open] of Object.entries(empty))
  t.test(`on ${engine} a migration that fails leaves nothing behind, and runs whole the next time`, async t => {
    const databases = await open()
    t.teardown(() => databases.close())
    const { write } = databases
    // One of the last tables that the baseline makes.
    await sql`create table sandbox_upload (id text)`.execute(write)
    await t.rejects(migrate(write), { message: 'Migration 0001-baseline failed' })
    const tables = async () => (await write.introspection.getTables()).map(({ name }) => name)
    t.same(await tables(), ['sandbox_upload'])
    await sql`drop table sandbox_upload`.execute(write)
    t.equal((await migrate(write))[0], '0001-baseline')
    t.ok((await tables()).length > 100)
    t.same(await migrate(write), [])
  })
