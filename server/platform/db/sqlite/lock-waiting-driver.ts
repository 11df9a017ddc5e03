import { setTimeout as pause } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  SelectQueryNode,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { monotonicMs } from '#server/platform/time/clock.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'

/** As long as a command beside the server may hold the lock before writers here give up, all of them together. */
const longestLockMs = 5_000
/** When nobody has met the lock for so long, the next one to meet it meets another. */
const sameLockMs = 1_000
/** SQLite's own steps. @see sqliteDefaultBusyCallback */
const waitsMs = [1, 2, 5, 10, 15, 20, 25] as const
const longestWaitMs = 50

/** Another connection holds the lock; nothing of the statement was done, so it may be said again. */
const isLocked = (error: unknown): boolean =>
  /^SQLITE_BUSY(?:_RECOVERY|_TIMEOUT)?$/.test(String((error as { code?: unknown } | null)?.code))

export interface DriverOptions {
  readonly longestMs?: number | undefined
  /** Absent: never gives way. */
  readonly turn?: LoopTurn | undefined
  /** After each commit of this connection. */
  readonly onCommit?: (() => void) | undefined
  /** Resolves when what this connection has committed is on the disk. Absent: it is by then, or never will be. */
  readonly onDisk?: (() => Promise<void>) | undefined
}

/** Of one connection, in the order in which they came. */
class Turns {
  #last: Promise<void> = Promise.resolve()
  /** Resolves when it is one's turn, with what ends it. */
  async take(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}

/**
 * SQLite's driver that waits for a lock between turns of the event loop. SQLite's `busy_timeout` waits inside the call:
 * a command beside the server that held the lock would stop readers, pages and health along with the writers.
 *
 * Whoever has committed is answered when that is on the disk, and has given the connection to the next one by then: the disk
 * works beside the event loop, and once for all that committed while it was at work.
 */
export class LockWaitingDriver extends SqliteDriver {
  readonly #longestLockMs: number
  readonly #turn: LoopTurn | undefined
  readonly #onCommit: (() => void) | undefined
  readonly #onDisk: (() => Promise<void>) | undefined
  readonly #turns = new Turns()
  #endTurn: (() => void) | undefined
  /** Whoever has the connection has written something that counts. */
  #hasWritten = false
  constructor(config: SqliteDialectConfig, { longestMs = longestLockMs, turn, onCommit, onDisk }: DriverOptions = {}) {
    super(config)
    this.#longestLockMs = longestMs
    this.#turn = turn
    this.#onCommit = onCommit
    this.#onDisk = onDisk
  }
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    this.#hasWritten = true
    this.#onCommit?.()
  }
  /** Those queued for the connection would otherwise follow one another in one turn of the event loop. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    const endTurn = await this.#turns.take()
    const nextTurn = this.#turn?.giveWay()
    if (nextTurn) await nextTurn
    this.#endTurn = endTurn
    this.#hasWritten = false
    return (await super.acquireConnection()) as DatabaseConnection
  }
  override async releaseConnection(): Promise<void> {
    const onDisk = this.#hasWritten ? this.#onDisk?.() : undefined
    this.#endTurn?.()
    await onDisk
  }
  /** A full or broken disk ends the transaction by itself; that there is none any more must not hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    } finally {
      this.#hasWritten = false
    }
  }
  override async init(): Promise<void> {
    await super.init()
    const connection = (await super.acquireConnection()) as DatabaseConnection
    const run = connection.executeQuery.bind(connection) as (query: CompiledQuery) => Promise<never>
    /** Since when the lock has been somebody else's; those queued behind the first have waited as long as it has. */
    let lockedSince = 0
    let lockSeenAt = Number.NEGATIVE_INFINITY
    const longestMs = this.#longestLockMs
    const isWorthWaiting = (error: unknown): boolean => {
      if (!isLocked(error)) return false
      const now = monotonicMs()
      if (now - lockSeenAt > sameLockMs) lockedSince = now
      lockSeenAt = now
      return now - lockedSince <= longestMs
    }
    const tryOnce = async (query: CompiledQuery) => {
      const result = await run(query)
      if (!SelectQueryNode.is(query.query)) this.#hasWritten = true
      lockSeenAt = Number.NEGATIVE_INFINITY
      return result
    }
    connection.executeQuery = async (query: CompiledQuery) => {
      // A transaction of a hundred statements would be one turn of the event loop: others read between them.
      const nextTurn = this.#turn?.giveWay()
      if (nextTurn) await nextTurn
      for (let i = 0; ; i += 1)
        try {
          return await tryOnce(query)
        } catch (error) {
          if (!isWorthWaiting(error)) throw error
          await pause(waitsMs[i] ?? longestWaitMs)
        }
    }
  }
}
