import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { PostgresAddress } from '#server/platform/db/postgres/address.ts'
import { databaseFileFault } from '#server/platform/db/sqlite/faults.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { examineContents } from './contents.ts'
import { type Finding, guarded, ill, messageOf, type Verdict, well } from './finding.ts'

const examinePragmas = ({ raw }: Databases): Verdict => {
  const wanted = { journal_mode: 'wal', synchronous: 1, foreign_keys: 1 }
  const wrong = Object.entries(wanted).filter(([name, value]) => raw.write.pragma(name, { simple: true }) !== value)
  const says = 'WAL, on the disk before it is answered, foreign keys'
  return wrong.length
    ? ill(
        `${wrong.map(([name]) => name).join(', ')} cannot be set; is the disk a network share?`,
        'put DATA_DIR on a local disk',
      )
    : well(says)
}

const examineIntegrity = ({ raw }: Databases): Verdict => {
  const verdict = String(raw.read.pragma('quick_check(1)', { simple: true }))
  return verdict === 'ok' ? well('sound') : ill(verdict, 'npm run restore -- FILE --force, with your last backup')
}

async function* examinePostgresDatabase(
  config: Config,
  address: PostgresAddress,
  clock: Clock,
): AsyncGenerator<Finding> {
  const { openPostgres } = await import('#server/platform/db/postgres/open.ts')
  const { examinePostgres } = await import('#server/platform/db/postgres/examine.ts')
  const databases = openPostgres(address, { onLoss: () => undefined })
  try {
    const server = await guarded('Database', async () => {
      await examinePostgres(databases.read, address)
      return well(config.databaseName)
    })
    yield server
    if (!server.fix) yield* examineContents(config, databases, clock)
  } finally {
    await databases.close()
  }
}

export async function* examineDatabase(config: Config, clock: Clock): AsyncGenerator<Finding> {
  if (config.postgres) {
    yield* examinePostgresDatabase(config, config.postgres, clock)
    return
  }
  if (!existsSync(config.databasePath)) {
    const secret = join(config.dataDir, 'secret')
    yield {
      name: 'Database',
      ...(existsSync(secret) && !config.authSecret
        ? ill(
            `${config.databasePath} is not there, and ${secret} belongs to a database with data`,
            'set DATA_DIR or DATABASE_URL to where the data lies, or bring a backup back with npm run restore -- FILE --force',
          )
        : well('will be made at the first start')),
    }
    return
  }
  let databases: Databases
  try {
    const { openDatabase } = await import('#server/platform/db/sqlite/open.ts')
    databases = openDatabase(config.databasePath)
  } catch (error) {
    const fault = databaseFileFault(error, config.databasePath)
    yield {
      name: 'Database',
      ...(fault
        ? ill(fault.says, fault.fix)
        : ill(messageOf(error), `npm run restore -- FILE --force, with your last backup of ${config.databasePath}`)),
    }
    return
  }
  try {
    const integrity = await guarded('Database', () => examineIntegrity(databases), config.databasePath)
    yield integrity
    if (integrity.fix) return
    yield { name: 'Durability', ...examinePragmas(databases) }
    yield* examineContents(config, databases, clock)
  } finally {
    await databases.close()
  }
}
