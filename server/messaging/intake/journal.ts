import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isoNow, monotonicMs } from '#server/platform/time/clock.ts'
import { createBacklog } from './backlog.ts'
import { estimateMessages, intakeLine } from './line.ts'
import {
  appendJournalRows,
  countPutAside,
  deleteSettled,
  findOldestWaiting,
  findStored,
  listOldest,
  type PutAside,
  type StoredWebhook,
} from './store.ts'
import { journalState } from './table.ts'
import { countUntaken } from './untaken-store.ts'

export interface JournalEntry {
  /** Null: it came to the installation's shared address. */
  connectionId: string | null
  /** The bytes as received. */
  raw: Buffer
  /** A `journalState`; default: waiting. */
  state?: number
  note?: string
}

export interface Journal {
  /**
   * Resolves when the entry is on disk (fsynced). Rejects when the commit failed or too much waits; then nothing is
   * stored. @throws INTAKE_TOO_MANY_WAITING
   */
  append(entry: JournalEntry): Promise<void>
  /** The most webhooks that waited for a commit at the same time since the last call. Starts a new count. */
  takePeakPendingWebhooks(): number
}

/** An entry with its line and its estimated number of messages. */
interface Weighed {
  readonly entry: JournalEntry
  readonly line: string
  readonly messages: number
}

interface Batch {
  readonly entries: Weighed[]
  bytes: number
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const emptyBatch = (): Batch => ({ entries: [], bytes: 0, ...withResolvers() })

/** A larger commit blocks other writers too long. A single larger webhook gets a commit of its own. */
const bytesPerCommit = 512 * 1024
/**
 * A batch of this size is written without waiting. On PostgreSQL the fixed cost of a commit is higher, so batches are
 * larger.
 */
const minBatchToFlush = { sqlite: 16, postgres: 64 }
/**
 * Within this time after a commit began, smaller batches wait for more, because each commit occupies the only writer.
 */
const gatherMs = 5

const withResolvers = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { done: promise, resolve: () => resolve(), reject }
}

/**
 * The append-only journal of webhooks. Those that arrive while a commit runs, or shortly after it began, share the next
 * one, because the fsync costs more than everything else. Large ones get commits of their own.
 */
export function createJournal(parts: {
  databases: Databases
  clock: Clock
  /** Estimated messages that may wait in one line. Default: the product's limit. */
  maxWaiting?: number
}): Journal {
  const { databases, clock } = parts
  const backlog = createBacklog({ databases, most: parts.maxWaiting })
  const flushSize = databases.signals.isShared ? minBatchToFlush.postgres : minBatchToFlush.sqlite
  /** The batches in order of arrival. The last one is still being filled. */
  const batches: Batch[] = []
  let writing = false
  let begunAt = Number.NEGATIVE_INFINITY
  let waiting = 0
  let peakWaiting = 0

  const write = async (entries: readonly Weighed[]) => {
    const receivedAt = isoNow(clock)
    await appendJournalRows(
      databases,
      entries.map(({ entry, line, messages }) => ({
        connectionId: entry.connectionId,
        receivedAt,
        raw: entry.raw,
        state: entry.state ?? journalState.waiting,
        note: entry.note ?? null,
        line,
        messages,
      })),
    )
  }

  /** While one batch is committed, the next one fills. */
  const flush = async () => {
    if (writing) return
    writing = true
    for (;;) {
      await gathered()
      const batch = batches.shift()
      if (!batch) break
      begunAt = monotonicMs()
      await write(batch.entries).then(batch.resolve, batch.reject)
      waiting -= batch.entries.length
      if (batches.length > 0) await new Promise(resolve => setImmediate(resolve))
    }
    writing = false
  }

  /** Resolves when the first batch may be written: at once, unless it is small and the last commit was just before. */
  const gathered = async () => {
    const restMs = begunAt + gatherMs - monotonicMs()
    const isAlone = batches.length === 1 && (batches[0] as Batch).entries.length < flushSize
    if (isAlone && restMs >= 1) await pause(restMs)
  }

  const batchFor = (bytes: number): Batch => {
    const last = batches.at(-1)
    if (last && last.bytes + bytes <= bytesPerCommit) return last
    const batch = emptyBatch()
    batches.push(batch)
    if (!last) setImmediate(() => void flush())
    return batch
  }

  const add = (weighed: Weighed): Promise<void> => {
    const { length } = weighed.entry.raw
    const batch = batchFor(length)
    batch.entries.push(weighed)
    batch.bytes += length
    waiting += 1
    peakWaiting = Math.max(peakWaiting, waiting)
    return batch.done
  }

  return {
    append(entry) {
      const weighed = {
        entry,
        line: intakeLine(entry.connectionId, entry.raw),
        messages: estimateMessages(entry.raw),
      }
      const admission = backlog.admit(weighed.line, weighed.messages)
      return admission ? admission.then(() => add(weighed)) : add(weighed)
    },
    takePeakPendingWebhooks() {
      const most = peakWaiting
      peakWaiting = waiting
      return most
    },
  }
}

/** The oldest webhook that has not been applied arrived at this time. Undefined: none waits. */
export const oldestUnapplied = (db: Db): Promise<string | undefined> => findOldestWaiting(db)

/** A webhook as it came. Undefined: it is no longer kept. */
export const readStoredWebhook = (db: Db, seq: number): Promise<StoredWebhook | undefined> => findStored(db, seq)

/** Items without a taker, by name. @see keepUntaken */
export const countUntakenItems = (db: Db): Promise<ReadonlyMap<string, number>> => countUntaken(db)

/** Counts webhooks that could not be applied, and those for numbers that no organization has. Both are kept. */
export const countWebhooksPutAside = (db: Db): Promise<PutAside> => countPutAside(db)

const keptMs = 30 * 24 * 60 * 60 * 1000
const deletedAtOnce = 500

/**
 * Deletes settled rows older than thirty days, a few at a time. Parked rows stay until somebody has looked at them.
 * Returns the number of deleted rows.
 */
export async function pruneJournal(databases: Databases, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptMs).toISOString()
  let gone = 0
  for (let after = 0; ; ) {
    const window = await listOldest(databases.write, after, deletedAtOnce)
    const old = window.filter(row => row.received_at < before)
    const first = old[0]
    const last = old.at(-1)
    if (!first || !last) return gone
    gone += await deleteSettled(databases.write, first.seq, last.seq)
    if (old.length < deletedAtOnce) return gone
    after = last.seq
    await new Promise(resolve => setImmediate(resolve))
  }
}
