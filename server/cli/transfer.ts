/** Copies an installation's rows from one engine to the other, for `move`, `backup` and `restore`. */
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { indexSlice } from '#server/messaging/search/indexing.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate, pendingMigrations, refuseUnknownMigrations } from '#server/platform/db/migrate.ts'
import type { PostgresAddress } from '#server/platform/db/postgres/address.ts'
import { postgresFault } from '#server/platform/db/postgres/faults.ts'
import * as sqlite from '#server/platform/db/sqlite/copy-store.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import {
  copyTables,
  findDifferences,
  type OnProgress,
  type Table,
  type TableReader,
  type TableWriter,
} from '#server/platform/db/table-copy.ts'
import { releaseStartupMemory } from '#server/platform/process/startup-memory.ts'
import { Refusal } from './screen.ts'

export interface Steps {
  onCopied?: OnProgress
  onCompared?: (table: string, rows: number) => void
  /** Called after each slice of messages that was added to the word index. */
  onIndexed?: () => void
}

/** The number of rows of all tables. */
export interface Transferred {
  readonly tables: number
  readonly rows: number
}

/** This process serves no requests, so it need not yield. */
const slicesAtOnce = 20

const releaseMemoryEveryMs = 650
const looks = 4
const betweenLooksMs = 250

const onLoss = () => undefined

/** Runs `work` on one connection without a statement timeout. @throws InstallationFault for what a person can fix. */
async function onPostgres<T>(
  address: PostgresAddress,
  { isReadOnly }: { isReadOnly: boolean },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  // Loaded on demand: SQLite installations start without it.
  const { openPool } = await import('#server/platform/db/postgres/open.ts')
  const db = openPool({ ...address, statementTimeoutMs: 0 }, { max: 1, isReadOnly, onLoss })
  try {
    return await work(db)
  } catch (error) {
    throw postgresFault(error, address) ?? error
  } finally {
    await db.destroy()
  }
}

const refuseOtherSchema = async (db: Db, name: string) => {
  await refuseUnknownMigrations(db, name)
  const pending = await pendingMigrations(db)
  if (pending.length)
    throw new Refusal(
      `${name} is of an older Recado (${pending.length} migrations to run): start this one on it once with npm start, stop it, and run this again.`,
    )
}

const copyAndCompareAll = async (
  tables: readonly Table[],
  from: TableReader,
  to: TableWriter,
  written: TableReader,
  { onCopied = () => undefined, onCompared = () => undefined }: Steps,
): Promise<Transferred> => {
  await copyTables(tables, from, to, onCopied)
  let rows = 0
  const differences = await findDifferences(tables, from, written, (table, count) => {
    rows += count
    onCompared(table, count)
  })
  if (differences.length)
    throw new Refusal(
      `What was copied is not what is there: ${differences.map(({ table, here, there }) => `${table} (${here} rows, ${there} copied)`).join(', ')}. Somebody changed one of the two meanwhile; begin anew with an empty target.`,
    )
  return { tables: tables.length, rows }
}

/** Frees memory while `work` runs. V8's heap would otherwise grow to three times what a batch needs. */
const inLittleMemory = async <T>(work: () => Promise<T>): Promise<T> => {
  const timer = setInterval(() => void releaseStartupMemory(), releaseMemoryEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const copyAndCompare: typeof copyAndCompareAll = (...parts) => inLittleMemory(() => copyAndCompareAll(...parts))

const readAllWords = (databases: Databases, { onIndexed = () => undefined }: Steps): Promise<void> =>
  inLittleMemory(async () => {
    while (await indexSlice(databases, slicesAtOnce)) onIndexed()
  })

/** @throws Refusal when another process of ours works on the database. */
async function refuseWorkOn(db: Db, name: string): Promise<void> {
  const { countOthers } = await import('#server/platform/db/postgres/copy-store.ts')
  let others = await countOthers(db)
  // Connections of a process that has just ended may still be listed.
  for (let i = 0; others && i < looks; i += 1) {
    await pause(betweenLooksMs)
    others = await countOthers(db)
  }
  if (others)
    throw new Refusal(`Recado is at work on ${name} (${others} connections): stop its servers and commands first.`)
}

const beginOrGoOn = (known: string | undefined, source: string, target: string): void => {
  if (known !== undefined && known !== source)
    throw new Refusal(`${target} is half filled from ${known}: go on from there, or begin anew with an empty target.`)
}

/**
 * Fills an empty PostgreSQL database with the rows of a SQLite database of today's schema, or goes on where that was
 * stopped. Until it is done no server starts on it. `isQuiet`: nobody else works on it, as was looked at before.
 * @throws InstallationFault, Refusal for what a person can mend.
 */
export async function copyToPostgres(
  from: Pick<Databases, 'raw' | 'read'>,
  address: PostgresAddress,
  { source, name, isQuiet = false, steps = {} }: { source: string; name: string; isQuiet?: boolean; steps?: Steps },
): Promise<Transferred> {
  const { openPostgres } = await import('#server/platform/db/postgres/open.ts')
  const { examinePostgresTarget } = await import('#server/platform/db/postgres/examine.ts')
  const store = await import('#server/platform/db/postgres/copy-store.ts')
  await refuseOtherSchema(from.read, source)
  const raw = from.raw.read
  const fill = async (db: Db) => {
    await examinePostgresTarget(db, address)
    if (!isQuiet) await refuseWorkOn(db, name)
    beginOrGoOn(await store.findCopySource(db), source, name)
    await store.beginCopy(db, source)
    await migrate(db)
    await store.dropIndexesForCopy(db)
    const reader = sqlite.createSqliteReader(raw)
    // One snapshot of all tables, whatever others write meanwhile.
    raw.exec('begin')
    const written = store.createPostgresReader(db)
    const found = await copyAndCompare(sqlite.listTables(raw), reader, store.createPostgresWriter(db), written, steps)
    const databases = openPostgres({ ...address, statementTimeoutMs: 0 }, { onLoss })
    try {
      await readAllWords(databases, steps)
    } finally {
      await databases.close()
    }
    await store.endCopy(db)
    return found
  }
  try {
    return await onPostgres(address, { isReadOnly: false }, fill)
  } finally {
    if (raw.inTransaction) raw.exec('rollback')
  }
}

/**
 * Fills a new SQLite file with the rows of a PostgreSQL database of today's schema as they are at one moment, or goes on
 * where that was stopped. `isAtWork`: servers may go on meanwhile. `wantsWords`: its index of words, too, which a server otherwise makes at its next start.
 * @throws InstallationFault, Refusal for what a person can mend.
 */
export async function copyToSqlite(
  address: PostgresAddress,
  path: string,
  {
    source,
    isAtWork,
    wantsWords,
    steps = {},
  }: { source: string; isAtWork: boolean; wantsWords: boolean; steps?: Steps },
): Promise<Transferred> {
  const { examinePostgres } = await import('#server/platform/db/postgres/examine.ts')
  const { createPostgresReader } = await import('#server/platform/db/postgres/copy-store.ts')
  return onPostgres(address, { isReadOnly: true }, async db => {
    await examinePostgres(db, address)
    await refuseOtherSchema(db, source)
    if (!isAtWork) await refuseWorkOn(db, source)
    const isNew = !existsSync(path)
    const databases = openDatabase(path)
    const raw = databases.raw.write
    try {
      if (!isNew) beginOrGoOn(sqlite.findCopySource(raw), source, path)
      sqlite.beginCopy(raw, source)
      await migrate(databases.write)
      const found = await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(trx =>
          copyAndCompare(
            sqlite.listTables(raw),
            createPostgresReader(trx as unknown as Db),
            sqlite.createSqliteWriter(raw),
            sqlite.createSqliteReader(databases.raw.read),
            steps,
          ),
        )
      if (wantsWords) await readAllWords(databases, steps)
      sqlite.endCopy(raw)
      return found
    } finally {
      await databases.close()
    }
  })
}

/**
 * A PostgreSQL database to add to, which nobody else works on.
 * @throws InstallationFault, Refusal for what a person can mend.
 */
export async function openToFill(address: PostgresAddress, name: string): Promise<Databases> {
  const { examinePostgres } = await import('#server/platform/db/postgres/examine.ts')
  const { openPostgres } = await import('#server/platform/db/postgres/open.ts')
  await onPostgres(address, { isReadOnly: true }, async db => {
    await examinePostgres(db, address)
    await refuseWorkOn(db, name)
  })
  return openPostgres({ ...address, statementTimeoutMs: 0 }, { onLoss })
}

/**
 * Counts the tables of a database that nobody else works on.
 * @throws InstallationFault, Refusal for what a person can mend.
 */
export const countTablesOf = (address: PostgresAddress, name: string): Promise<number> =>
  onPostgres(address, { isReadOnly: true }, async db => {
    const { countTables } = await import('#server/platform/db/postgres/copy-store.ts')
    await refuseWorkOn(db, name)
    return countTables(db)
  })

/** Moves all tables into the schema `aside` and runs `work`. If `work` fails, moves them back. */
export async function withSchemaAside<T>(address: PostgresAddress, aside: string, work: () => Promise<T>): Promise<T> {
  const store = await import('#server/platform/db/postgres/copy-store.ts')
  const change = (by: typeof store.setSchemaAside) => onPostgres(address, { isReadOnly: false }, db => by(db, aside))
  await change(store.setSchemaAside)
  try {
    return await work()
  } catch (error) {
    await change(store.restoreSchema)
    throw error
  }
}
