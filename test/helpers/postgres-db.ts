import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'
import { openPostgres } from '#server/platform/db/postgres/open.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { type PostgresServer, postgresServer } from './postgres.ts'

/** A database of this server by its address, as the product opens it. */
export function openUrl(url: string, turn?: LoopTurn): Databases {
  const { address, faults } = readPostgresUrl(url)
  if (!address) throw new Error(faults.join('\n'))
  return openPostgres(address, { onLoss: () => undefined, ...(turn ? { turn } : {}) })
}

/** The name of a database that is migrated, to be copied. */
export const migratedPostgres = async (): Promise<string> => migrated(await postgresServer())

let template: Promise<string> | undefined

/** Migrated once a process; each test gets a copy, which the server makes of its files. */
const migrated = (server: PostgresServer) => {
  template ??= (async () => {
    // Migrated once a run, where somebody did.
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

/** A fresh PostgreSQL database with all migrations; closed, it is gone. */
export async function freshPostgres(turn?: LoopTurn): Promise<Databases> {
  const server = await postgresServer()
  const name = await server.createDatabase(await migrated(server))
  const databases = openUrl(server.urlOf(name), turn)
  const one = { close: databases.close.bind(databases), drop: () => server.dropDatabase(name) }
  fresh.add(one)
  databases.close = async () => {
    // Two backends may have had it, and each closes it.
    const isFirst = fresh.delete(one)
    await one.close()
    if (isFirst) await one.drop()
  }
  return databases
}

/** Of those that nobody closed; who still asks one of them gets an error. */
export async function dropLeftPostgres(): Promise<void> {
  for (const { close, drop } of fresh) {
    // A connection that somebody kept would be waited for.
    void close().catch(() => undefined)
    await drop()
  }
  fresh.clear()
}
