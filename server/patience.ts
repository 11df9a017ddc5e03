import { setTimeout as pause } from 'node:timers/promises'
import { type CompiledQuery, type DatabaseConnection, SqliteDriver } from 'kysely'

/** As long as a command beside the server may hold the lock before writers here give up. */
const patienceMs = 5_000
/** SQLite's own steps. @see sqliteDefaultBusyCallback */
const waitsMs = [1, 2, 5, 10, 15, 20, 25] as const
const longestWaitMs = 50

/** Another connection holds the lock; nothing of the statement was done, so it may be said again. */
const isLocked = (error: unknown): boolean =>
  /^SQLITE_BUSY(?:_RECOVERY|_TIMEOUT)?$/.test(String((error as { code?: unknown } | null)?.code))

/**
 * SQLite's driver that waits for a lock between turns of the event loop. SQLite's `busy_timeout` waits inside the call:
 * a command beside the server that held the lock would stop readers, pages and health along with the writers.
 */
export class PatientDriver extends SqliteDriver {
  /** A full or broken disk ends the transaction by itself; that there is none any more must not hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }
  override async init(): Promise<void> {
    await super.init()
    const connection = (await super.acquireConnection()) as DatabaseConnection
    const run = connection.executeQuery.bind(connection) as (query: CompiledQuery) => Promise<never>
    const runLater = async (query: CompiledQuery) => {
      const until = performance.now() + patienceMs
      for (let i = 0; ; i += 1) {
        await pause(waitsMs[i] ?? longestWaitMs)
        try {
          return await run(query)
        } catch (error) {
          if (!isLocked(error) || performance.now() > until) throw error
        }
      }
    }
    connection.executeQuery = async (query: CompiledQuery) => {
      try {
        return await run(query)
      } catch (error) {
        if (isLocked(error)) return runLater(query)
        throw error
      }
    }
  }
}
