import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'
import { openPostgres } from '#server/platform/db/postgres/open.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { type PostgresServer, postgresServer } from './postgres.ts'

/** Opens a database by its URL, as the product does. */
export function openUrl(url: string, turn?: LoopTurn): Databases {
  const { address, faults } = readPostgresUrl(url)
  if (!address) throw new Error(faults.join('\n'))
  return openPostgres(address, { onLoss: () => undefined, ...(turn ? { turn } : {}) })
}

/** The name of a migrated database, from which others are copied. */
export const migratedPostgres = async (): Promise<string> => migrated(await postgresServer())

let template: Promise<string> | undefined

/** Migrates once per process. Each test gets a copy, which the server makes by copying files. */
const migrated = (server: PostgresServer) => {
  template ??= (async () => {
    // The test runner may have migrated one for the whole run.
    const made = process.env.TEST_POSTGRES_TEMPLATE
    if (made) return made
    const name = await server.createDatabase()
    const databases = openUrl(server.urlOf(name))
    await migrate(databases.write)
    await databases.close()
    return name
  })()
  return template
}

interface Fresh {
  readonly close: () => Promise<void>
  readonly drop: () => Promise<void>
}
const fresh = new Set<Fresh>()

/** Creates a PostgreSQL database with all migrations. Closing it also drops it. */
export async function freshPostgres(turn?: LoopTurn): Promise<Databases> {
  const server = await postgresServer()
  const name = await server.createDatabase(await migrated(server))
  const databases = openUrl(server.urlOf(name), turn)
  const one = { close: databases.close.bind(databases), drop: () => server.dropDatabase(name) }
  fresh.add(one)
  databases.close = async () => {
    // Two backends may share the database, and each closes it.
    const isFirst = fresh.delete(one)
    await one.close()
    if (isFirst) await one.drop()
  }
  return databases
}

/** Drops the databases that a file did not close. Code that still uses one gets an error. */
export async function dropLeftPostgres(): Promise<void> {
  for (const { close, drop } of fresh) {
    // Not awaited, because closing waits for connections that are still in use.
    void close().catch(() => undefined)
    await drop()
  }
  fresh.clear()
}
