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

/** All waiting writers give up together after another process has held the lock for this long. */
const longestLockMs = 5_000
/** If nobody met the lock for this long, the next to meet it meets another one. */
const sameLockMs = 1_000
/** SQLite's own delays. @see sqliteDefaultBusyCallback */
const waitsMs = [1, 2, 5, 10, 15, 20, 25] as const
const longestWaitMs = 50

/** Another connection holds the lock. The statement had no effect, so it may be repeated. */
const isLocked = (error: unknown): boolean =>
  /^SQLITE_BUSY(?:_RECOVERY|_TIMEOUT)?$/.test(String((error as { code?: unknown } | null)?.code))

export interface DriverOptions {
  readonly longestMs?: number | undefined
  /** Absent: never yields. */
  readonly turn?: LoopTurn | undefined
  /** Called after each commit of this connection. */
  readonly onCommit?: (() => void) | undefined
  /**
   * Resolves when this connection's commits are on the disk. Absent: commits are synchronous, or need not be durable.
   */
  readonly onDisk?: (() => Promise<void>) | undefined
}

/** A queue for one connection, in order of arrival. */
class Turns {
  #last: Promise<void> = Promise.resolve()
  /** Resolves when it is the caller's turn, with a function that ends it. */
  async take(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}

/**
 * SQLite's driver, waiting for a lock asynchronously: SQLite's `busy_timeout` would block the thread, so that a command
 * that holds the lock stops readers, pages and health checks too.
 *
 * A writer is answered when its commit is on the disk, but passes the connection to the next before that: the fsync
 * runs off the event loop, and one covers all commits since the last.
 */
export class LockWaitingDriver extends SqliteDriver {
  readonly #longestLockMs: number
  readonly #turn: LoopTurn | undefined
  readonly #onCommit: (() => void) | undefined
  readonly #onDisk: (() => Promise<void>) | undefined
  readonly #turns = new Turns()
  #endTurn: (() => void) | undefined
  /** The current holder has written something. */
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
  /** Yields between queued transactions, which would otherwise run in one turn of the event loop. */
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
  /** A full or broken disk ends the transaction by itself; the error of the rollback must not hide the cause. */
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
    /** The time at which the lock was first met. Queued writers count from the same time. */
    let lockedSince = 0
    let lockSeenAt = Number.NEGATIVE_INFINITY
    const longestMs = this.#longestLockMs
    /** Records that the lock was met. Returns whether to wait for it; false for every other error. */
    const recordLock = (error: unknown): boolean => {
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
      // Yields between statements, so that a transaction of a hundred does not take one turn of the event loop.
      const nextTurn = this.#turn?.giveWay()
      if (nextTurn) await nextTurn
      for (let i = 0; ; i += 1)
        try {
          return await tryOnce(query)
        } catch (error) {
          if (!recordLock(error)) throw error
          await pause(waitsMs[i] ?? longestWaitMs)
        }
    }
  }
}
