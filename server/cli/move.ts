/**
 * `npm run move -- postgres://…` copies the SQLite installation of DATA_DIR into an empty PostgreSQL database, and with
 * `DATABASE_URL=postgres://…` `npm run move -- sqlite:PATH` copies that one into a new SQLite file. The original is
 * not changed; a move that was stopped continues when it is run again.
 */
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { readPostgresUrl, withoutPassword } from '#server/platform/db/postgres/address.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { lockInstallation } from '#server/platform/db/sqlite/process-lock.ts'
import { type Clock, systemClock } from '#server/platform/time/clock.ts'
import { personsPath, Refusal, readArguments, runProgram } from './screen.ts'
import { copyToPostgres, copyToSqlite, type Steps, type Transferred } from './transfer.ts'

const usage =
  'Usage: npm run move -- postgres://user:password@host:5432/database, or with DATABASE_URL=postgres://… npm run move -- sqlite:PATH'

interface Moved extends Transferred {
  /** The `DATABASE_URL` to set afterwards. */
  readonly databaseUrl: string
}

async function moveToPostgres(config: Config, url: string, clock: Clock, steps: Steps): Promise<Moved> {
  const { address, faults } = readPostgresUrl(url)
  if (!address)
    throw new Refusal(faults.map(fault => fault.replace('DATABASE_URL', 'The address to move to')).join('\n'))
  if (!existsSync(config.databasePath))
    throw new Refusal(`There is no database at ${config.databasePath}. Is DATA_DIR right?`)
  // Takes the server's lock, so that no server starts on it meanwhile.
  const { release } = lockInstallation(config, clock)
  try {
    const from = openDatabase(config.databasePath)
    try {
      const name = withoutPassword(url)
      const found = await copyToPostgres(from, address, { source: config.databasePath, name, steps })
      return { ...found, databaseUrl: name }
    } finally {
      await from.close()
    }
  } finally {
    release()
  }
}

async function moveToSqlite(config: Config & { postgres: object }, path: string, steps: Steps): Promise<Moved> {
  if (existsSync(path)) throw new Refusal(`${path} is there already; name another file, or move it away`)
  const partial = `${path}.moving`
  const found = await copyToSqlite(config.postgres as NonNullable<Config['postgres']>, partial, {
    source: config.databaseName,
    isAtWork: false,
    wantsWords: true,
    steps,
  })
  await rename(partial, path)
  return { ...found, databaseUrl: `sqlite:${path}` }
}

/**
 * Copies the installation that `config` names into `target`, on the other engine.
 * @throws Refusal, InstallationFault for what a person can fix. The source is unchanged, and the target is not usable yet.
 */
export async function move(
  config: Config,
  target: string,
  { clock = systemClock, steps = {} }: { clock?: Clock; steps?: Steps } = {},
): Promise<Moved> {
  const isToPostgres = /^postgres(?:ql)?:/.test(target)
  const path = /^sqlite:(.+)$/.exec(target)?.[1]
  if (!isToPostgres && !path) throw new Refusal(usage)
  if (isToPostgres === Boolean(config.postgres))
    throw new Refusal(
      `${config.databaseName} is on ${isToPostgres ? 'PostgreSQL' : 'SQLite'} already: a move leads to the other engine.`,
    )
  return isToPostgres
    ? moveToPostgres(config, target, clock, steps)
    : moveToSqlite(config as Config & { postgres: object }, personsPath(path as string), steps)
}

const showSteps = (): Steps => {
  const every = 100_000
  let shown = 0
  return {
    onCopied(table, rows, total) {
      if (rows === total || rows - shown >= every || rows < shown) {
        shown = rows
        console.log(`  ${table}: ${rows.toLocaleString('en')} of ${total.toLocaleString('en')}`)
      }
    },
    onCompared(table, rows) {
      if (rows) console.log(`  ${table}: ${rows.toLocaleString('en')} rows, the same on both sides`)
    },
  }
}

if (process.argv[1] === import.meta.filename)
  await runProgram(async () => {
    const { rest, named } = readArguments()
    if (rest.length !== 1 || named.size) throw new Refusal(usage)
    const config = readConfig(process.env)
    const { tables, rows, databaseUrl } = await move(config, rest[0] as string, { steps: showSteps() })
    console.log(
      `${rows.toLocaleString('en')} rows of ${tables} tables are there, compared with the original one by one.`,
    )
    console.log(`Files stay in ${config.dataDir}. Start it from there with: DATABASE_URL='${databaseUrl}' npm start`)
    console.log(
      `${config.databaseName} was not changed. Start nothing from it any more: what it has yet to send would leave twice.`,
    )
  })
