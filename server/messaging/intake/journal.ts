import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { isoNow, monotonicMs } from '#server/platform/time/clock.ts'
import { createBacklog } from './backlog.ts'
import { estimateMessages, lineOf } from './line.ts'
import {
  appendJournalRows,
  countPutAside,
  deleteSettled,
  findOldestWaiting,
  listOldest,
  type PutAside,
} from './store.ts'
import { journalState } from './table.ts'
import { countUntaken } from './untaken-store.ts'

export interface JournalEntry {
  /** Null: it came to the installation's shared address. */
  connectionId: string | null
  /** The bytes as they came; kept as they are. */
  raw: Buffer
  /** `journalState`; waiting unless said. */
  state?: number
  note?: string
}

export interface Journal {
  /**
   * Resolves once the entry is on disk (fsynced); rejects when the commit failed, or when too much waits already, and then
   * nothing of it is kept.
   * @throws INTAKE_TOO_MANY_WAITING
   */
  append(entry: JournalEntry): Promise<void>
  /** How many waited for their commit at once, at most, since this was last asked. */
  crowd(): number
}

/** With the line it waits in, and about how many messages it brings. */
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

/** A commit of more holds everybody; a single larger webhook has one to itself. */
const bytesPerCommit = 512 * 1024
/** A batch of so many waits for nobody: beside an engine of its own, what is not in the rows is the dearer part of a commit. */
const company = { here: 16, beside: 64 }
/** So long after a commit began those few who come wait for others: each commit is work for everybody's one writer. */
const gatherMs = 5

const withResolvers = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { done: promise, resolve: () => resolve(), reject }
}

/**
 * The append-only journal of webhooks. What arrives in one turn of the event loop is committed together: an fsync
 * costs more than all the rest, and one is enough for everybody who waits. Large ones go in commits of their own.
 */
export function createJournal(parts: {
  databases: Databases
  clock: Clock
  /** About how many messages may wait in one line; the product's own unless given. */
  mostWaiting?: number
}): Journal {
  const { databases, clock } = parts
  const backlog = createBacklog({ databases, most: parts.mostWaiting })
  const enough = databases.signals.isShared ? company.beside : company.here
  /** In order of arrival; the last one still takes what comes. */
  const batches: Batch[] = []
  let writing = false
  let begunAt = Number.NEGATIVE_INFINITY
  let waiting = 0
  let mostWaiting = 0

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

  /** While a batch waits for its commit, the next one fills. */
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

  /** Resolves when the first batch may be written: at once, unless it is small and close behind the last one. */
  const gathered = async () => {
    const restMs = begunAt + gatherMs - monotonicMs()
    const isAlone = batches.length === 1 && (batches[0] as Batch).entries.length < enough
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
    mostWaiting = Math.max(mostWaiting, waiting)
    return batch.done
  }

  return {
    append(entry) {
      const weighed = {
        entry,
        line: lineOf(entry.connectionId, entry.raw),
        messages: estimateMessages(entry.raw),
      }
      const admission = backlog.admit(weighed.line, weighed.messages)
      return admission ? admission.then(() => add(weighed)) : add(weighed)
    },
    crowd() {
      const most = mostWaiting
      mostWaiting = waiting
      return most
    },
  }
}

/** When the oldest webhook arrived that has not been applied; undefined: none waits. */
export const oldestUnapplied = (db: Db): Promise<string | undefined> => findOldestWaiting(db)

/** How much each name has of what webhooks said and no feature takes yet; see `keepUntaken`. */
export const countUntakenItems = (db: Db): Promise<ReadonlyMap<string, number>> => countUntaken(db)

/** How many webhooks could not be applied, or are for numbers that nobody here has; both are kept. */
export const countWebhooksPutAside = (db: Db): Promise<PutAside> => countPutAside(db)

const keptMs = 30 * 24 * 60 * 60 * 1000
const deletedAtOnce = 500

/**
 * Clears settled rows older than thirty days, a few at a time so that nobody waits; parked ones stay until somebody
 * has looked at them. Answers how many went.
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
